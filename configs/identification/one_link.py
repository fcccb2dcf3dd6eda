"""One link on a cart: see cart.py."""

from cart import cart

MODEL = cart(1)
