"""matplotlib, as far as the seeds use it."""
