"""Passive walkers on a slope: the rimless wheel, the simplest walker and the compass gait."""
