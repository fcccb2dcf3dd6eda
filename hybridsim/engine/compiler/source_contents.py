"""What a compiled function of this package is made of, read from source texts: nothing is imported for it.

A function is made of the statement of its module that defines it, of the statements that define the names in that one,
and so on. Each counts by its bytecode: comments, docstrings, annotations, blank lines and the order of definitions do
not. What else a module executes, a loop or a call, counts for each of its names.

Two kinds of names are not followed. A routine that another function calls through its address counts by its interface.
What belongs to another package, or to the compiler, counts by its name: the versions of packages and the code of the
compiler are parts of every key (`keys`).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.util import resolve_name
from typing import NamedTuple

from hybridsim.engine.compiler.bytecode import Code, digest, read_code

COMPILER = "hybridsim.engine.compiler"
"""The package whose members count by their names."""

ROUTINE = (f"{COMPILER}.routines", "routine")
"""Module and name of the decorator of functions that are called through their addresses."""

EVERYTHING, OTHERS = "*", "!"
"""In place of a name: all names of a module; what it executes besides definitions and imports."""


class Place(NamedTuple):
    """A name of a module, and attributes that are read from it one after the other."""

    module: str
    name: str
    path: tuple[str, ...] = ()


class _Decisive(ast.NodeTransformer):
    """Leave out what decides no machine code: docstrings, annotations, and what is executed where nothing is compiled.

    The result is hashed and never executed: a field of a class without a value becomes its deletion.
    """

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for each in ast.walk(node.args):
            if isinstance(each, ast.arg):
                each.annotation = None
        return self.visit_ClassDef(node)

    def visit_ClassDef(self, node: ast.FunctionDef | ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        self.generic_visit(node)
        # An annotation that makes an object is read by somebody: the columns of a table.
        makes_object = any(isinstance(each, ast.Call) for each in ast.walk(node.annotation))
        read = [ast.Expr(node.annotation)] if makes_object else []
        if node.value is not None:
            return [*read, ast.Assign([node.target], node.value)]
        vars(node.target)["ctx"] = ast.Del()
        return [*read, ast.Delete([node.target])]

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        condition = ast.unparse(node.test)
        self.generic_visit(node)
        if condition == "JIT":
            return node.body
        if condition in ("TYPE_CHECKING", "__name__ == '__main__'"):
            return node.orelse
        node.body = node.body or [ast.Pass()]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return node.body if ast.unparse(node.test) == "JIT" else node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "__future__" else node


def decisive_tree(text: bytes) -> ast.Module:
    """Parse a source text without what decides no machine code."""
    tree: ast.Module = _Decisive().visit(ast.parse(text))
    return tree


def code_digest(text: bytes) -> str:
    """Hash a source text without what decides no machine code."""
    return _code_of(*decisive_tree(text).body).digest


def _code_of(*statements: ast.stmt) -> Code:
    made = ast.fix_missing_locations(ast.Module(list(statements), []))
    return read_code(compile(made, "", "exec", dont_inherit=True, optimize=0))


class _Statement:
    """A statement of a module, translated to bytecode when it is first reached."""

    def __init__(self, node: ast.stmt, package: str) -> None:
        self._node, self._package = node, package

    @cached_property
    def code(self) -> Code:
        return _code_of(self._node)

    @cached_property
    def interface(self) -> Code:
        """Of a function: its name, arguments and decorators."""
        node = copy.copy(self._node)
        vars(node)["body"] = [ast.Pass()]
        return _code_of(node)

    def imported(self) -> Iterator[tuple[str, Place]]:
        """What the statement imports, also within a function: the name that is bound, and what it stands for."""
        for node in ast.walk(self._node):
            if isinstance(node, ast.ImportFrom):
                module = resolve_name("." * node.level + (node.module or ""), self._package)
                yield from ((each.asname or each.name, Place(module, each.name)) for each in node.names)
            elif isinstance(node, ast.Import):
                for each in node.names:
                    first, *rest = each.name.split(".")
                    yield (each.asname, Place(first, "", tuple(rest))) if each.asname else (first, Place(first, ""))


class Module:
    """The statements of a module by the names that they define.

    Parameters
    ----------
    name : str
        The name of the module.
    text : bytes
        Its source.
    is_package : bool
        Whether it is the `__init__` of a package.
    """

    def __init__(self, name: str, text: bytes, is_package: bool) -> None:
        self.definitions: dict[str, list[_Statement]] = {}
        self.imports: dict[str, Place] = {}
        self.others: list[_Statement] = []
        self.routines: dict[str, _Statement] = {}
        for node in decisive_tree(text).body:
            statement = _Statement(node, name if is_package else name.rpartition(".")[0])
            if isinstance(node, ast.Import | ast.ImportFrom):
                self.imports |= statement.imported()
                continue
            names = [*_defined(node)]
            for defined in names:
                self.definitions.setdefault(defined, []).append(statement)
            if not names:
                self.others.append(statement)
            elif self._is_routine(node):
                self.routines[names[0]] = statement

    def binds(self, name: str) -> bool:
        """Return whether a statement of the module defines or imports the name."""
        return name in self.definitions or name in self.imports

    def _is_routine(self, node: ast.stmt) -> bool:
        decorators = getattr(node, "decorator_list", [])
        called = [each.func.id for each in decorators if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)]
        return any(self.imports.get(name) == Place(*ROUTINE) for name in called)


def _defined(node: ast.stmt) -> Iterator[str]:
    """The names that a statement defines; none if it may do anything."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        targets = [each for target in node.targets for each in ast.walk(target)]
        if all(isinstance(each, ast.Name | ast.Tuple | ast.List | ast.expr_context) for each in targets):
            yield from (each.id for each in targets if isinstance(each, ast.Name))


class Contents:
    """What the functions of some modules are made of.

    Parameters
    ----------
    texts : mapping of str to (bool, bytes)
        For the name of each module whether it is the `__init__` of a package, and its source. Other packages than
        those that are there count by their names.
    """

    def __init__(self, texts: Mapping[str, tuple[bool, bytes]]) -> None:
        self._texts, self._modules = texts, dict[str, Module]()
        self._packages = {name.partition(".")[0] for name in texts}
        self._found: dict[Place, tuple[list[str], list[Place]]] = {}

    def digest(self, module: str, name: str) -> str:
        """Hash what a function is made of.

        Raises
        ------
        LookupError
            If the module does not define it, or if the function is made of a module that is not among the texts.
        """
        pieces, seen = set[str](), set[Place]()
        found, pending = self._pieces(module, [(each, each.code) for each in self.module(module).definitions[name]])
        pending = [*pending, Place(module, OTHERS)]
        while pending:
            pieces.update(found)
            place = pending.pop()
            found, further = ([], []) if place in seen else self._look_up(place)
            seen.add(place)
            pending += further
        return digest(module, name, *sorted(pieces.union(found)))

    def routines(self, modules: tuple[str, ...]) -> dict[str, str]:
        """Find the routines in some modules and in all that these import: name -> module."""
        found, pending, seen = dict[str, str](), [*modules], set[str]()
        while pending:
            name = pending.pop()
            if name in self._texts and self._is_followed(name) and name not in seen:
                seen.add(name)
                found |= dict.fromkeys(self.module(name).routines, name)
                for module, member, path in self.module(name).imports.values():
                    pending += [module, ".".join([module, *filter(None, [member]), *path])]
        return found

    def module(self, name: str) -> Module:
        """Return a module taken apart."""
        if name not in self._modules:
            if name not in self._texts:
                raise LookupError(f"a compiled function is made of {name}, which is not among the sources of its key")
            is_package, text = self._texts[name]
            self._modules[name] = Module(name, text, is_package)
        return self._modules[name]

    def _is_followed(self, module: str) -> bool:
        is_ours = module.partition(".")[0] in self._packages
        return is_ours and not f"{module}.".startswith(f"{COMPILER}.")

    def _look_up(self, place: Place) -> tuple[list[str], list[Place]]:
        """What a place contributes, and the places that it refers to."""
        if place not in self._found:
            if not self._is_followed(place.module):
                self._found[place] = [f"{place} by name"], []
            elif not place.name:
                first, *rest = place.path or (EVERYTHING,)
                self._found[place] = [], [self._bound(Place(place.module, first, tuple(rest)))]
            else:
                self._found[place] = self._look_up_name(place)
        return self._found[place]

    def _look_up_name(self, place: Place) -> tuple[list[str], list[Place]]:
        module, others = self.module(place.module), Place(place.module, OTHERS)
        if place.name == OTHERS:
            pieces, places = self._pieces(place.module, [(each, each.code) for each in module.others])
            return pieces, [*places, *filter(None, [module.imports.get(EVERYTHING)])]
        if place.name == EVERYTHING:
            return [], [others, *(Place(place.module, name) for name in (*module.definitions, *module.imports))]
        if place.name in module.routines:
            return self._pieces(place.module, [(None, module.routines[place.name].interface)])
        if not module.binds(place.name):  # a built-in name, one that something executed defines, or a submodule
            submodule = f"{place.module}.{place.name}"
            return [], [others, *([Place(submodule, "", place.path)] if submodule in self._texts else [])]
        defined = module.definitions.get(place.name, [])
        pieces, places = self._pieces(place.module, [(each, each.code) for each in defined])
        if place.name in module.imports:
            imported = module.imports[place.name]
            target = self._bound(imported._replace(path=(*imported.path, *place.path)))
            pieces, places = [*pieces, f"{place} is {target}"], [*places, target]
        return pieces, [*places, others]

    def _bound(self, place: Place) -> Place:
        """Where the name of an import is: in the module, or a module of the package; else anywhere in it."""
        if not place.name or not self._is_followed(place.module) or self.module(place.module).binds(place.name):
            return place
        submodule = f"{place.module}.{place.name}"
        is_module = submodule in self._texts
        return Place(submodule, "", place.path) if is_module else Place(place.module, EVERYTHING)

    def _pieces(
        self, module: str, statements: Sequence[tuple[_Statement | None, Code]]
    ) -> tuple[list[str], list[Place]]:
        """What statements of a module contribute, and the places that they refer to."""
        places = [Place(module, name, path) for _, code in statements for name, path in code.references]
        places += [self._bound(place) for each, _ in statements if each for _, place in each.imported()]
        return [f"{module} {code.digest}" for _, code in statements], places
