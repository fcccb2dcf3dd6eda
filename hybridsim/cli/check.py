"""`hybridsim check`: find the problems of a config or of a plug-in without running it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli.options import examples
from hybridsim.cli.watchdog import watching

if TYPE_CHECKING:
    from hybridsim.config import RunConfig
    from hybridsim.config.sweep import SweepConfig
    from hybridsim.model import Model

EXAMPLES = examples("check configs/slip.yaml", "check hopper.py", "check slip")


def check(
    target: Annotated[
        str,
        typer.Argument(metavar="CONFIG|PLUGIN", help="A config, a plug-in file, or the name of an installed model."),
    ],
) -> None:
    """Check a config as `run`, `sweep`, `identify` or `optimize` does, or that a plug-in has the parts of a model."""
    if Path(target).suffix == ".py" or not (Path(target).exists() or Path(target).suffix):
        _check_model(target)
        return
    from hybridsim.config.identification import is_identification
    from hybridsim.config.sweep import SweepConfig, load_run_or_sweep

    if is_identification(target):
        _check_identification(target)
        return
    if _searches(target):
        _check_search(target)
        return
    settings = load_run_or_sweep(target)
    if isinstance(settings, SweepConfig):
        _check_sweep(settings, target)
    else:
        _check_run(settings, target)


def _check_model(target: str) -> None:
    from hybridsim.model.parts import Part
    from hybridsim.model.registry import load_model_or_part
    from hybridsim.testing import check_model, check_part

    found = load_model_or_part(target)
    with watching(found.functions):
        report = check_part(found) if isinstance(found, Part) else check_model(found)
        typer.echo(report)
        if not isinstance(found, Part):
            _check_derivatives(found)


def _check_derivatives(model: "Model") -> None:
    """Say whether the functions have derivatives; a model without them can be simulated, and so it is fine."""
    from hybridsim.cli import console
    from hybridsim.duals.functions import differentiable_functions

    functions, problems = differentiable_functions(model)
    console.show_notes([f"no derivatives, which linearize and sensitivities need: {text}" for text in problems])
    if functions:
        typer.echo(f"{model.name}: derivatives of {', '.join(functions)}")


def _check_run(settings: "RunConfig", target: str) -> None:
    """Prepare the simulation as `run` does, and compute nothing."""
    from hybridsim.cli import console
    from hybridsim.simulation import Simulation

    console.show_notes(settings.notes)
    with watching(settings.model.functions):
        Simulation.from_config(settings)
    typer.echo(f"{target}: fine; next: hybridsim run {target}")


def _check_sweep(settings: "SweepConfig", target: str) -> None:
    """Make the plan and prepare the engine as `sweep` does, and compute nothing."""
    from hybridsim.cli import console
    from hybridsim.sweeps.batch import BatchRunner
    from hybridsim.sweeps.plan import Plan

    console.show_notes(settings.run.notes)
    plan = Plan(settings)
    with watching(settings.run.model.functions):
        BatchRunner(settings)
    typer.echo(f"{target}: fine, {plan.n_rows:,} runs; next: hybridsim sweep {target}")


def _searches(target: str) -> bool:
    """Return whether this is a YAML file with a section `optimize`."""
    from hybridsim.config.source import Diagnostics
    from hybridsim.config.yaml_source import read_yaml

    return Path(target).suffix in (".yaml", ".yml") and "optimize" in read_yaml(Path(target), Diagnostics()).value


def _check_search(target: str) -> None:
    """Prepare the runs of every subspace as `optimize` does, and compute nothing."""
    from hybridsim.cli import console
    from hybridsim.config.optimization import load_optimization_config
    from hybridsim.sweeps.batch import BatchRunner

    settings = load_optimization_config(target)
    console.show_notes(settings.run.notes)
    with watching(settings.run.model.functions):
        for sweep in settings.sweeps:
            BatchRunner(sweep)
    n = settings.n_rows * settings.settings.method.generations
    typer.echo(f"{target}: fine, at most {n:,} runs; next: hybridsim optimize {target}")


def _check_identification(target: str) -> None:
    """Make the program as `identify` does, and solve nothing."""
    from hybridsim.config.identification import load_identification_config
    from hybridsim.identification.checks import refuse_impossible
    from hybridsim.identification.guess import motion_of
    from hybridsim.identification.problem import problem_of

    settings = load_identification_config(target)
    with watching(settings.model.functions):
        problem = problem_of(settings, [motion_of(settings, trial) for trial in settings.trials])
        refuse_impossible(problem)
        n = len(problem.program(problem.z).limits[0])
    typer.echo(f"{target}: fine, {len(problem.z):,} unknowns, {n:,} equations; next: hybridsim identify {target}")
