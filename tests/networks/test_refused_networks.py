"""Patterns, types and files that are no network, each a sentence that says where."""

import numpy as np
import pytest

import hybridsim
from hybridsim import ModelError
from hybridsim.networks import Edges, Nodes, network
from hybridsim.networks.edge_shelf import EDGES
from hybridsim.networks.node_shelf import NODES


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("reverse: maybe", "reverse: expected true or false, found 'maybe'"),
        ("pattern: [[0, 1.5]]", "expected a list of pairs of whole numbers"),
        ("pattern: [[0, 1, 2]]", "expected a list of pairs of whole numbers"),
        ("pattern: {matrix: small.csv}", "expected a row for each of 6 targets and a column for each of 6 sources"),
        ("pattern: {matrix: empty.csv}", "the file is empty"),
        ("pattern: {matrix: ragged.csv}", "cannot be read as a matrix; in a .csv give rows of as many numbers"),
        ("pattern: {matrix: nowhere.csv}", "there is no such file"),
        ("pattern: {matrix: six.csv}, weight: 2", "has weights other than 1, but weight is given, too; leave out one"),
        ("pattern: {matrix: half.csv}", "expected whole numbers of nodes in the columns from and to"),
    ],
)
def test_edges_that_are_not_what_was_meant_are_refused(tmp_path, change, problem):
    files = {
        "small.csv": "0,1\n1,0\n",
        "empty.csv": "",
        "ragged.csv": "0,1\n1\n",
        "six.csv": "from,to,weight\n0,5,0.5\n",
        "half.csv": "from,to,weight\n0,1.7,1\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    edges = f"{{type: sine, from: o, to: o, {change}}}"
    text = f"model: {{network: {{nodes: {{o: {{type: phase, count: 6}}}}, edges: [{edges}]}}}}\nfinal_time: 1\n"
    (tmp_path / "net.yaml").write_text(text)
    with pytest.raises(hybridsim.ConfigError) as failure:
        hybridsim.load_config(tmp_path / "net.yaml")
    assert problem in str(failure.value)
    assert "net.yaml:1:" in str(failure.value)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Nodes("hopf", 3), "expected a type of nodes, found 'hopf'"),
        (lambda: Nodes(NODES["hopf"], 2.5), "nodes of type hopf: expected a whole number of them, found 2.5"),
        (lambda: Edges("phase", "h", "h"), "expected a type of edges, found 'phase'"),
        (lambda: network("t", {"h": ("hopf", 3)}), "expected a type of nodes"),
        (lambda: network("t", {"h": (NODES["hopf"], 3, 1)}), "expected Nodes, a Node, or a pair"),
        (
            lambda: network("t", {"h": Nodes(NODES["hopf"], 3)}, [Edges(EDGES["phase"], "h", "h", ([0, 1.7], [1, 0]))]),
            "expected two arrays of whole numbers",
        ),
        (
            lambda: network("t", {"h": Nodes(NODES["hopf"], 3)}, [Edges(EDGES["phase"], "h", "h", np.ones((2, 2)))]),
            "found a matrix (2, 2)",
        ),
    ],
)
def test_what_is_no_network_in_python_is_a_sentence(make, problem):
    with pytest.raises(ModelError) as failure:
        make()
    assert problem in str(failure.value)
