"""A backend of Triton, which Triton finds by its entry point: its driver simulates if the environment says so."""
