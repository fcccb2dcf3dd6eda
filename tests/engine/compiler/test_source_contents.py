"""A key changes with what its function is made of, and with nothing else: by edits of copies of the sources.

What a function is made of is found here in another way, without bytecode: by the names in syntax trees that are not
those of local variables.
"""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

import hybridsim
from hybridsim.engine.compiler.routines import ROUTINES
from hybridsim.engine.compiler.source_contents import COMPILER, Contents, code_digest
from hybridsim.engine.entry import MODULES_OF_ROUTINES

PACKAGE = Path(hybridsim.__file__).parent


def name_of(path):
    return ".".join(["hybridsim", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")


TEXTS = {name_of(path): (path.name == "__init__.py", path.read_bytes()) for path in PACKAGE.rglob("*.py")}
ORIGINAL = Contents(TEXTS)
ENTRIES = sorted({
    place for _, text in TEXTS.values() for place in re.findall(r'\bEntry\(\s*"([\w.]+:\w+)"', text.decode())
})  # fmt: skip
ROOTS = [*(f"{module}:{name}" for name, module in ORIGINAL.routines(MODULES_OF_ROUTINES).items()), *ENTRIES]


def digests(contents):
    return {root: contents.digest(*root.split(":")) for root in ROOTS}


BEFORE = digests(ORIGINAL)


def edited(module, text):
    """The contents with another text of one module; what has been found in others is taken over."""
    made = Contents(TEXTS | {module: (TEXTS[module][0], text.encode())})
    made._modules.update({name: value for name, value in ORIGINAL._modules.items() if name != module})
    made._found.update({place: value for place, value in ORIGINAL._found.items() if place.module != module})
    return made


# What functions are made of, by the names in syntax trees.


@cache
def syntax(module):
    """The imports, and the statements that define names, of a module as it is compiled."""
    imports, definitions, pending = {}, {}, [*ast.parse(TEXTS[module][1]).body]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If):
            pending += node.orelse if ast.unparse(node.test) == "TYPE_CHECKING" else node.body
        elif isinstance(node, ast.ImportFrom):
            imports |= {each.asname or each.name: (node.module, each.name) for each in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            definitions[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            definitions |= {each.id: node for target in targets for each in ast.walk(target) if type(each) is ast.Name}
    return imports, definitions


def is_routine(node):
    return any(isinstance(each, ast.Call) and ast.unparse(each.func) == "routine" for each in node.decorator_list)


def names_used(node):
    """The variables from outside that a definition reads, and attributes of them: (name, attribute or None)."""
    if isinstance(node, ast.FunctionDef):
        local = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        local |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        read = [*node.body, *node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
    elif isinstance(node, ast.ClassDef):
        local, read = set(), [*node.bases, *node.decorator_list, *(each for each in node.body)]
    else:
        value = node.value.body if isinstance(node.value, ast.IfExp) else node.value
        local, read = set(), [each for each in (value,) if each is not None]
    for each in (inner for outer in read for inner in ast.walk(outer)):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            yield each.value.id, each.attr
        elif isinstance(each, ast.Name) and each.id not in local:
            yield each.id, None


def defined_at(module, name, attribute):
    """Where a name is defined, (module, name); None outside the package and in the compiler."""
    while module in TEXTS and not module.startswith(COMPILER):
        imports, definitions = syntax(module)
        if name in definitions:
            return module, name
        if name in imports:
            module, name = imports[name]
            if f"{module}.{name}" in TEXTS:
                module, name = f"{module}.{name}", attribute
        else:
            return None
    return None


def made_of(root):
    """All definitions that a function is made of: the statements with their modules."""
    pending, found = [tuple(root.split(":"))], {}
    while pending:
        module, name = pending.pop()
        node = syntax(module)[1][name]
        if id(node) not in found and not (found and isinstance(node, ast.FunctionDef) and is_routine(node)):
            found[id(node)] = module, node
            places = (defined_at(module, *used) for used in names_used(node))
            pending += [place for place in places if place is not None]
    return found


@cache
def containing():
    """For each definition, by its module and line, the functions that are made of it."""
    found = defaultdict(set)
    for root in ROOTS:
        for module, node in made_of(root).values():
            found[module, node.lineno].add(root)
    return found


# Edits.


def with_another_constant(text, node):
    """The text with the first number in a definition made larger; with a further one if there is none."""
    lines = text.splitlines(keepends=True)
    body = node.body if isinstance(node, ast.FunctionDef | ast.ClassDef) else [node.value]
    numbers = [
        each
        for statement in body
        for each in ast.walk(statement)
        if isinstance(each, ast.Constant) and type(each.value) in (int, float)
    ]
    if numbers:
        number = min(numbers, key=lambda each: (each.lineno, each.col_offset))
        line = lines[number.lineno - 1]
        made = repr(number.value + 1)
        lines[number.lineno - 1] = line[: number.col_offset] + made + line[number.end_col_offset :]
    elif isinstance(node, ast.FunctionDef):
        last = node.body[-1]
        lines[last.lineno - 1] = f"{' ' * last.col_offset}_further = 0.125\n{lines[last.lineno - 1]}"
    else:
        return None
    return "".join(lines)


def some_of(family, n):
    """The members of a family, of which one in n runs by default."""
    return [pytest.param(each, marks=() if at % n == 0 else pytest.mark.exhaustive) for at, each in enumerate(family)]


MODULES = sorted({module for module, _ in containing()})


def test_the_engine_is_found_whole():
    """The routines that are compiled are those that a search of the sources finds, and each is made of many."""
    assert sorted(ROUTINES) == sorted(root.partition(":")[2] for root in ROOTS[: len(ROUTINES)])
    assert len(ENTRIES) == len(set(ENTRIES)) > 7
    assert len(MODULES) > 40
    assert len(made_of("hybridsim.engine.execution:advance")) > 100


@pytest.mark.members(2)
@pytest.mark.parametrize("module", some_of(MODULES, 8))
def test_another_constant_changes_the_keys_of_what_contains_it_and_no_other(module):
    text, tried = TEXTS[module][1].decode(), 0
    for node in {id(node): node for node in syntax(module)[1].values()}.values():
        changed = with_another_constant(text, node)
        if changed is not None:
            tried += 1
            after = digests(edited(module, changed))
            found = {root for root in ROOTS if after[root] != BEFORE[root]}
            assert found == containing().get((module, node.lineno), set()), ast.unparse(node)[:80]
    assert tried


@pytest.mark.members(1)
@pytest.mark.parametrize("name", some_of(ROUTINES, 5))
def test_an_edited_routine_leaves_those_that_call_it_alone(name):
    (root,) = (each for each in ROOTS if each.endswith(f":{name}"))
    module = root.partition(":")[0]
    node, text = syntax(module)[1][name], TEXTS[module][1].decode()
    after = digests(edited(module, with_another_constant(text, node)))
    assert [each for each in ROOTS if after[each] != BEFORE[each]] == [root]
    changed = text.replace(f"def {name}(problem, ", f"def {name}(more, problem, ")
    assert changed != text
    callers = {
        each
        for each in ROOTS
        for where, definition in made_of(each).values()
        if any(defined_at(where, *used) == (module, name) for used in names_used(definition))
    }
    after = digests(edited(module, changed))
    assert callers | {root} == {each for each in ROOTS if after[each] != BEFORE[each]}


class _Neutral(ast.NodeTransformer):
    """Other docstrings, other annotations, and functions in the opposite order."""

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.returns = ast.Constant("something else")
        for each in node.args.args:
            each.annotation = ast.Name("Elsewhere")
        return self.documented(node)

    def visit_ClassDef(self, node):
        self.generic_visit(node)
        for each in node.body:
            if isinstance(each, ast.AnnAssign) and not any(isinstance(n, ast.Call) for n in ast.walk(each.annotation)):
                each.annotation = ast.Constant("another type")
        return self.documented(node)

    def documented(self, node):
        is_documented = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
        node.body[:is_documented] = [ast.Expr(ast.Constant("Other words."))]
        return node


def with_neutral_edits(text, reorder):
    tree = _Neutral().visit(ast.parse(text))
    places = [n for n, each in enumerate(tree.body) if isinstance(each, ast.FunctionDef)] if reorder else []
    for place, node in zip(places, [tree.body[n] for n in reversed(places)], strict=True):
        tree.body[place] = node
    return "# A comment.\n\n\n" + "\n# Another.\n\n\n".join(map(ast.unparse, ast.fix_missing_locations(tree).body))


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_comments_docstrings_annotations_blank_lines_and_the_order_of_functions_change_no_key(every):
    """Of each fifth module in the ordinary run."""
    changed = TEXTS | {
        name: (is_package, with_neutral_edits(text, True).encode())
        for name, (is_package, text) in [*TEXTS.items()][::every]
    }
    assert digests(Contents(changed)) == BEFORE


@pytest.mark.exhaustive  # a fifth of the engine's modules has them in the ordinary run
def test_nor_do_they_change_the_code_of_the_compiler():
    for name, (_, text) in TEXTS.items():
        if name.startswith(COMPILER):
            changed = with_neutral_edits(text, False).encode()
            assert changed != text
            assert code_digest(changed) == code_digest(text), name


@pytest.mark.parametrize("part", some_of(range(8), 8))
def test_but_each_constant_of_the_compiler_does(part):
    for name, (_, text) in sorted(TEXTS.items())[part::8]:
        if name.startswith(COMPILER):
            for node in ast.parse(text).body:
                changed = with_another_constant(text.decode(), node) if isinstance(node, ast.FunctionDef) else None
                assert changed is None or code_digest(changed.encode()) != code_digest(text), (name, node.name)


# Small packages.


def contents(**modules):
    return Contents({name.replace("_in_", "."): (False, text.encode()) for name, text in modules.items()})


FIRST = "from other import factor\n\nOFFSET = 3.0\n\ndef f(x):\n    return factor * x + OFFSET\n"


def keys_of(first, other="factor = 2.0\nunused = 5\n"):
    return contents(first=first, other=other).digest("first", "f")


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (FIRST.replace("3.0", "3.5"), "factor = 2.0\n"),
        (FIRST, "factor = 2.5\n"),
        (FIRST, "factor = 2\n"),
        (FIRST, "factor = 2.0\nfactor += 1.0\n"),
        (FIRST, "factor = 2.0\nfor n in range(3):\n    factor = factor * n\n"),
        (FIRST, "from third import g\nfactor = g(2.0)\n"),
        (FIRST, "from math import pi as factor\n"),
        (FIRST, "if True:\n    factor = 2.5\n"),
        (FIRST + "for n in range(3):\n    OFFSET += n\n", "factor = 2.0\n"),
        (FIRST.replace("from other import factor", "from other import unused as factor"), "factor = 2.0\nunused = 5\n"),
        (FIRST.replace("OFFSET\n", "OFFSET\n\nf = f.__call__\n"), "factor = 2.0\n"),
    ],
)
def test_what_decides_a_result_decides_the_key(first, other):
    assert keys_of(first, other) != keys_of(FIRST)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (FIRST, "factor: float = 2.0\n"),
        (FIRST, "'''Words.'''\nfactor = 2.0  # comment\n'''Of the factor.'''\ndef g():\n    return 1\n"),
        (FIRST.replace("(x)", "(x: float) -> float"), "factor = 2.0\n"),
        ("from __future__ import annotations\n" + FIRST, "unused = 6\nfactor = 2.0\n"),
        (FIRST.replace("    return", "    '''Words.'''\n\n    return"), "factor = 2.0\n"),
        (FIRST + "\ndef h():\n    return f(1.0)\n", "factor = 2.0\n"),
    ],
)
def test_what_does_not_does_not(first, other):
    assert keys_of(first, other) == keys_of(FIRST)


def test_modules_are_followed_by_attributes_and_within_packages():
    def key(constant, unused):
        texts = {
            "pack": (True, b"from .inner import value\n"),
            "pack.inner": (False, f"value = {constant}\nother = {unused}\n".encode()),
            "pack.main": (False, b"import pack.inner as inner\nfrom pack import value\n"
                          b"def f(x):\n    return inner.value + x\n"
                          b"def g(x):\n    return value + x\n"),
        }  # fmt: skip
        return [Contents(texts).digest("pack.main", name) for name in "fg"]

    assert key(1, 1) == key(1, 2)
    assert all(a != b for a, b in zip(key(1, 1), key(2, 1), strict=True))


def test_a_module_that_is_missing_from_the_sources_is_an_error():
    lost = b"from pack.lost import value\ndef f(x):\n    return value + x\n"
    with pytest.raises(LookupError, match=r"made of pack\.lost, which is not among the sources"):
        Contents({"pack": (False, lost)}).digest("pack", "f")
