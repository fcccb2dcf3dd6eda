"""The compiled engine: four nested iterators over models that it knows only as addresses of functions.

    execution.run_chunk       4  from chart to chart: enter, flow, transition, until the run ends
      entering.enter             begin in a chart: first slope, step size, active boundaries, trigger states
      flow.flow               2  step through one chart until a boundary, the end, or a fault
        runge_kutta.accepted_step   1  one accepted step
        events.crossings.find_crossing   3  the first crossing in that step, to the last bit of t
      transitions.jump           call the model's transition; slides, touches, accumulations, stops

Every search evaluates boundaries by `events.boundary_values.evaluate`. `events.activation`, `sliding` and
`events.slide_entry` call the model's function themselves, to find the active boundaries and in either chart of a slide.
The memory of a run is in `memory` (arrays) and `state` (scalars), Python calls the functions in `entry`, and `compiler`
makes addresses of a model's functions.
"""
