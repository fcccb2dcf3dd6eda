"""Small models, one in each file, as examples of plug-ins."""
