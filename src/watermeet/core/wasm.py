"""The WebAssembly face of a kernel: one module of a game's kernels, which a browser runs.

Numba translates kernels to LLVM's language, as for the native face, but nothing is compiled for
this machine: the translations are put together, and LLVM makes WebAssembly of them. Numba believes
that pointers have 64 bits. WebAssembly's have 32, which does no harm: LLVM converts where memory is
addressed, and lays everything in memory out itself.

An exported function takes and returns 32-bit numbers, but for floats. An array is its address and
its length. A tuple is the address of a row of 8-byte fields: an array's address and length, or a
64-bit integer or float. Whoever calls it has put them into the module's memory, which is free from
the address ``heap`` on.

Imports Numba, so import this module only when something is compiled for a browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from llvmlite import ir
from numba import typeof, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from watermeet.core.diagnosis import WASM, diagnose_call
from watermeet.core.dispatchers import all_linked, without_collecting
from watermeet.core.errors import InvalidKernel
from watermeet.core.kernel import Kernel
from watermeet.core.wasm_object import make_module, missing_functions

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+bulk-memory-opt,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
"""What WebAssembly 2.0 has, as all browsers do since 2023."""
_FOR_THIS_MACHINE = re.compile(
    r'^target (?:triple|datalayout) = .*\n|"(?:target-cpu|target-features|tune-cpu)"="[^"]*"',
    re.MULTILINE,
)
_LIBRARY = """
declare double @llvm.sqrt.f64(double)
define linkonce_odr double @sqrt(double %x) alwaysinline {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}
"""
"""What Numba calls by name: a square root, for which there is an instruction."""
_WORD, _LONG, _DOUBLE, _FIELD = ir.IntType(32), ir.IntType(64), ir.DoubleType(), 8


class Export(NamedTuple):
    """A kernel that a module exports."""

    name: str
    kernel: Kernel[Any, Any]
    arguments: tuple[Any, ...]
    """Values of the types that it is compiled for."""


def compile_module(exports: Iterable[Export]) -> bytes:
    """Compile kernels to one module; raises InvalidKernel if one can't be."""
    with global_compiler_lock, without_collecting():
        chosen = list(exports)
        for each in chosen:
            _ = each.kernel.wasm  # Defines the intrinsics, which Numba then finds.
        cpu_target.typing_context.refresh()
        cpu_target.target_context.refresh()
        text = _link(chosen)
        content = compile_text(text, {each.name for each in chosen})
        for name in missing_functions(content):
            raise _missing(name, text, chosen)
        return make_module(content, [each.name for each in chosen])


def _missing(name: str, text: str, exports: Iterable[Export]) -> InvalidKernel:
    """The error for code that calls a function of C."""
    functions = {
        result.fndesc.llvm_func_name: each.python
        for export in exports
        for each in export.kernel.kernels_inside()
        for result in each.wasm.overloads.values()
    }
    return diagnose_call(name, [text], functions, WASM)


def _link(exports: Iterable[Export]) -> str:
    """The exported functions and all that they call, in LLVM's language."""
    linked, libraries = llvm.parse_assembly(_LIBRARY), dict[Any, None]()
    for each in exports:
        result = each.kernel.translate(tuple(map(typeof, each.arguments)))
        linked.link_in(llvm.parse_assembly(str(_make_entry(each.name, result))))
        libraries |= {result.library: None, **all_linked(result.library)}
    # Code that isn't called yet is left out, so callees are linked after their callers.
    while _link_missing(linked, libraries):
        pass
    return str(linked)


def _link_missing(linked: Any, libraries: Iterable[Any]) -> bool:
    """Link the functions that are called and still missing; return whether there were any."""
    missing = {each.name for each in linked.functions if each.is_declaration}
    found = False
    for library in libraries:
        module = library._get_module_for_linking()
        if any(each.name in missing and not each.is_declaration for each in module.functions):
            linked.link_in(module, preserve=True)
            found = True
    return found


def compile_text(text: str, exported: set[str]) -> bytes:
    """Optimise code in LLVM's language as a whole, and emit an object."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static"
    )
    header = f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine.target_data}"\n'
    module = llvm.parse_assembly(header + _FOR_THIS_MACHINE.sub("", text))
    module.verify()
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and each.name not in exported:
            each.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = False  # Only networks use vectors.
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    emitted: bytes = machine.emit_object(module)
    return emitted


# ---- what is exported -------------------------------------------------------------------------


def _make_entry(name: str, result: Any) -> ir.Module:
    """A function that calls a translated kernel, with arguments as a browser can give them."""
    context, signature = cpu_target.target_context, result.signature
    module = ir.Module(name)
    flat = [kind for each in signature.args for kind in _parameters(each)]
    returned = _result_type(signature.return_type)
    entry = ir.Function(module, ir.FunctionType(returned, flat), name)
    builder = ir.IRBuilder(entry.append_basic_block())
    given = iter(entry.args)
    values = [_argument(context, builder, each, given) for each in signature.args]
    conv = context.call_conv
    kind = conv.get_function_type(signature.return_type, signature.args)
    called = ir.Function(module, kind, result.fndesc.llvm_func_name)
    _, found = conv.call_function(builder, called, signature.return_type, signature.args, values)
    if returned == ir.VoidType():
        builder.ret_void()
    else:
        builder.ret(found if returned == _DOUBLE else _resized(builder, found, _WORD))
    return module


def _result_type(kind: Any) -> ir.Type:
    if kind == types.none:
        return ir.VoidType()
    return _DOUBLE if isinstance(kind, types.Float) else _WORD


def _parameters(kind: Any) -> list[ir.Type]:
    """The parameters that stand for an argument."""
    if isinstance(kind, types.Array):
        return [_WORD, _WORD]
    return [_DOUBLE if isinstance(kind, types.Float) else _WORD]


def _argument(context: Any, builder: Any, kind: Any, given: Iterator[Any]) -> Any:
    """The value of an argument, as Numba represents it."""
    if isinstance(kind, types.Array):
        return _array(context, builder, kind, next(given), next(given))
    value = next(given)
    if isinstance(kind, types.BaseTuple):
        fields = [
            _field(context, builder, each, builder.add(value, _WORD(_FIELD * index)))
            for index, each in enumerate(kind.types)
        ]
        return context.make_tuple(builder, kind, fields)
    return _scalar(context, builder, kind, value)


def _field(context: Any, builder: Any, kind: Any, address: Any) -> Any:
    """The value of a tuple's field."""
    if isinstance(kind, types.Array):
        length = builder.add(address, _WORD(_FIELD // 2))
        return _array(
            context, builder, kind, _load(builder, address, _WORD), _load(builder, length, _WORD)
        )
    stored = _DOUBLE if isinstance(kind, types.Float) else _LONG
    return _scalar(context, builder, kind, _load(builder, address, stored))


def _load(builder: Any, address: Any, kind: Any) -> Any:
    return builder.load(builder.inttoptr(address, kind.as_pointer()))


def _scalar(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    wanted = context.get_value_type(kind)
    return value if wanted == value.type else _resized(builder, value, wanted)


def _resized(builder: Any, value: Any, wanted: Any) -> Any:
    """An integer with more bits or fewer; one bit is a truth value."""
    if wanted.width <= value.type.width:
        return builder.trunc(value, wanted) if wanted.width < value.type.width else value
    return builder.zext(value, wanted) if value.type.width == 1 else builder.sext(value, wanted)


def _array(context: Any, builder: Any, kind: Any, address: Any, length: Any) -> Any:
    made = context.make_array(kind)(context, builder)
    item = context.get_constant(types.intp, kind.dtype.bitwidth // 8)
    context.populate_array(
        made,
        data=builder.inttoptr(address, made.data.type),
        shape=[builder.zext(length, _LONG)],
        strides=[item],
        itemsize=item,
        meminfo=None,
    )
    return made._getvalue()
