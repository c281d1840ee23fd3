"""Makes the prototypes of bindings: api.py reads api/, and each language has a writer."""
