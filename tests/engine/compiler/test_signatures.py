"""The contract of a model and the C types of its functions are two tables that agree."""

from hybridsim.engine.compiler.signatures import SIGNATURES
from hybridsim.model.contract import CONTRACT

INTERPRETED_ONLY = {"poses"}  # plain Python, for the viewer


def test_every_function_of_the_contract_has_a_signature_with_as_many_arguments():
    compiled = {name: len(arguments) for name, arguments in CONTRACT.items() if name not in INTERPRETED_ONLY}
    assert {name: len(signature.arguments) for name, signature in SIGNATURES.items()} == compiled
