"""What imports numba: the translation of functions to machine code. It is imported only when something is compiled."""
