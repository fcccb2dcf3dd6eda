"""Steps: a walk from rest to rest, and steps that catch a person who is pushed."""
