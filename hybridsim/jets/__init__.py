"""Jets: power series in time, one order of which is computed after the other from a model's own source.

number_type, recurrences    a series as a type of numba's; the coefficient that each operation adds to its result
operators, elementary       what arithmetic and the functions that a model may call mean for series
translation                 what stands for a plug-in's names where it is compiled on series
functions                   the vector field of a model, compiled a second time from the same source

How series lie in memory is part of the engine's interface to models: `engine/compiler/jet_rows`.
"""
