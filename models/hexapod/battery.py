"""The battery: Peukert's law (1897), discharge time = hours (capacity / (hours i))^exponent at a constant current i."""

from .records import BATTERY_CAPACITY, BATTERY_EXPONENT, BATTERY_HOURS


def discharge_rate(amperes, p):
    """-dC/dt [1/s], C = 1 full."""
    hours = p[BATTERY_HOURS]
    return (amperes * hours / p[BATTERY_CAPACITY]) ** p[BATTERY_EXPONENT] / (3600.0 * hours)
