"""Runs as a page that is drawn in the browser: what is sent (`sampling`, `packing`, `header`), and the file with it.

The page itself, JavaScript without a build step, is in the folder `page`.
"""
