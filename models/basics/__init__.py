"""Small models, one a file: read them to learn how a plug-in is written."""
