"""Settings of the installation: values, where each comes from, checking, writing, keys."""
