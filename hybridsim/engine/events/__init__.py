"""Events within a step: which boundary crosses first, touches, accumulations and slides."""
