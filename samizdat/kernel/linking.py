"""Putting compiled code together: every rule goes through LLVM once for each loop.

Left to itself, Numba optimises a function together with everything that it calls, makes machine code of that, and
does so again for each of its callers: a rule five calls below a loop passes through LLVM five times. Here a function
that a loop calls stays as Numba lowered it (`Part`); the loop takes all of them in and is optimised and turned into
machine code as a whole (`Whole`). Loops that are compiled by the same process share their parts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment

ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba begins the names of the environments of functions


def _all_below(libraries: Iterable[Any]) -> list[Any]:
    """These libraries and what they call, directly or not."""
    found: dict[Any, None] = {}
    left = list(libraries)
    while left:
        library = left.pop()
        if library not in found:
            found[library] = None
            if isinstance(library, Part):
                left.extend(library._linking_libraries)
    return list(found)


class _Linked(JITCodeLibrary):
    """Code that takes in what it calls when it is finished, each function once."""

    def _optimize_functions(self, module: Any) -> None:
        """As Numba does, but without making an optimiser for each function, even those merely mentioned."""
        module.data_layout = self._codegen._data_layout
        manager, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                manager.run(function, builder)

    def _finish(self) -> None:
        """Optimise all of it and make machine code of it."""
        called, self._linking_libraries = self._linking_libraries, []
        for library in _all_below(called):
            self._reload_init.update(library._reload_init)
            module = library.alone() if isinstance(library, Part) else library._get_module_for_linking()
            self._final_module.link_in(module, preserve=True)
        super().finalize()
        self._linking_libraries = called  # whoever takes this in needs them as well
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if environment is not None:
                self._codegen.set_env(variable.name, environment)  # type: ignore[attr-defined]


class Whole(_Linked):
    """A loop with all that it calls."""

    def finalize(self) -> None:
        self._finish()


class Part(_Linked):
    """One function that compiled code calls: nothing is done to it before somebody takes it in."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._alone: Any = None
        self._finished = False

    @property
    def codegen(self) -> Any:
        """Numba tells every function's environment to its machine code, which a part has not got."""
        return self._codegen if self._finished else _Withheld(self._codegen)

    def add_ir_module(self, module: Any) -> None:
        if module.name != "cfunc_wrapper":  # only compiled code calls it, which needs no such wrapper
            super().add_ir_module(module)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def alone(self) -> Any:
        """The function itself, such that taking it in twice does no harm."""
        if self._alone is None:
            module = self._final_module.clone()
            for function in module.functions:
                if not function.is_declaration and function.linkage == binding.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._alone = module
        return self._alone

    def _get_module_for_linking(self) -> Any:
        """With all that it calls, for code that is compiled in Numba's own way."""
        if self._shared_module is None:
            module = self.alone().clone()
            for library in _all_below(self._linking_libraries):
                linked = library.alone() if isinstance(library, Part) else library._get_module_for_linking()
                module.link_in(linked, preserve=True)
            self._shared_module = module
        return self._shared_module

    def get_pointer_to_function(self, name: str) -> int:
        """Where a function stands; Numba asks for the wrapper of every function, which a rule has not got."""
        if not self._finished:
            if not any(function.name == name for function in self._final_module.functions):
                return 0
            self._get_module_for_linking()  # before the module is handed over
            self._finished, self._finalized = True, False
            self._finish()
        pointer: int = super().get_pointer_to_function(name)
        return pointer


class _Withheld:
    """A code generator that gives no function its environment."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        pass


class LinkedOnce(Compiler):
    """Numba's compiler for a loop: what it calls becomes parts, and the loop the whole of them."""

    def _compile_core(self) -> Any:
        codegen = self.state.targetctx.codegen()
        self.state.library = Whole(codegen, self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        before = codegen._library_class
        codegen._library_class = Part  # Numba compiles one function at a time, whatever threads ask for
        try:
            return super()._compile_core()
        finally:
            codegen._library_class = before
