#!/usr/bin/env python3
"""terminal.py COMMAND... - runs a command whose output is a terminal, and copies what it prints."""
import os
import pty
import sys

sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
