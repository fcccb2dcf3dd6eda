"""Dual numbers: a value and its derivatives in eight directions, by which a model's own source is differentiated.

rules                                   the slopes of the functions that a model may call
number                                  the class `DualNumber`, for functions that are not compiled
number_type, operators, registration    the same as a type of numba's
translation                             what stands for a plug-in's names where it is compiled on dual numbers
functions                               the functions of a model, compiled a second time from the same source

How a dual number lies in memory is part of the engine's interface to models: `engine/compiler/dual_lanes`.
"""
