"""Public functions by header, and tables for ctypes; tools/make_bindings.py made them of api/."""
