"""The Kane-style 3-D biped: seven bodies that stand, step and walk, with every reaction of the ground reported."""
