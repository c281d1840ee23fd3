#!/usr/bin/env python3
"""terminal.py COMMAND... - runs a command with a terminal as its output, and copies the output."""
import os
import pty
import sys

sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
