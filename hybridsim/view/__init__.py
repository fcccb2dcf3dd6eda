"""The viewer: where a run stands at any time, a player that goes through it, and the pictures of it."""
