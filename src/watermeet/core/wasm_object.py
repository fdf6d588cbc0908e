"""From LLVM's WebAssembly object to a module that a browser runs. No linker is needed.

An object is nearly a module: LLVM numbers its functions and lays its data out as if it were linked
already. What is missing is a memory, a stack, and the names of what is exported; those are added
here, and the data moves behind the stack. A stack that overflows then leaves the memory, which
stops the program instead of destroying its tables.

The format: https://webassembly.github.io/spec/core/binary and, for objects, the tool conventions'
Linking.md.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator
from typing import NamedTuple

MAGIC = b"\0asm\x01\0\0\0"
PAGE = 1 << 16
STACK = 1 << 20
"""The bytes of the stack, which lies at the start of the memory; scratch arrays lie on it."""
MAX_PAGES = 1 << 14
"""The memory grows to 1 GiB at most."""

_CUSTOM, _TYPE, _IMPORT, _FUNCTION, _, _MEMORY, _GLOBAL, _EXPORT = range(8)
_CODE, _DATA, _DATA_COUNT = 10, 11, 12
_ORDER = (
    _TYPE, _FUNCTION, _MEMORY, _GLOBAL, _EXPORT, _DATA_COUNT, _CODE, _DATA,
)  # fmt: skip
_KIND_FUNCTION, _, _KIND_MEMORY, _KIND_GLOBAL = range(4)
_SYMBOL_TABLE, _SYMBOL_FUNCTION, _SYMBOL_DATA = 8, 0, 1
_UNDEFINED, _EXPLICIT_NAME = 0x10, 0x40
_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_I32 = 3, 4, 5
"""The relocations of addresses: unsigned and signed in five bytes of seven bits, or plain."""
_WITH_ADDEND = (_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_I32, 8, 9)
_I32, _I32_CONST, _END = 0x7F, 0x41, 0x0B


class _Reader:
    """Reads numbers and names from bytes."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def byte(self) -> int:
        self.at += 1
        return self.content[self.at - 1]

    def number(self) -> int:
        """An unsigned number, in groups of seven bits (LEB128)."""
        value = shift = 0
        while True:
            group = self.byte()
            value |= (group & 0x7F) << shift
            shift += 7
            if group < 0x80:
                return value

    def signed(self) -> int:
        start = self.at
        value = self.number()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def take(self, size: int) -> bytes:
        self.at += size
        return self.content[self.at - size : self.at]

    def name(self) -> str:
        return self.take(self.number()).decode()


def _number(value: int) -> bytes:
    groups = bytearray()
    while value >= 0x80:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*groups, value))


def _signed(value: int) -> bytes:
    groups = bytearray()
    while not -0x40 <= value < 0x40:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*groups, value & 0x7F))


def _named(name: str) -> bytes:
    return _number(len(name)) + name.encode()


class _Object(NamedTuple):
    """The sections of an object."""

    sections: list[tuple[int, bytes]]
    custom: dict[str, bytes]

    @classmethod
    def parse(cls, content: bytes) -> _Object:
        assert content.startswith(MAGIC), "LLVM emits WebAssembly"
        reader = _Reader(content)
        reader.at = len(MAGIC)
        parsed = cls([], {})
        while reader.at < len(content):
            kind = reader.byte()
            body = reader.take(reader.number())
            if kind == _CUSTOM:
                inner = _Reader(body)
                name = inner.name()
                parsed.custom[name] = body[inner.at :]
            parsed.sections.append((kind, body))
        return parsed

    def section(self, kind: int) -> bytes:
        return next((body for each, body in self.sections if each == kind), b"")

    def function_symbols(self) -> dict[str, int]:
        """The numbers of the functions that are defined here, by name."""
        reader = _Reader(self.custom["linking"])
        reader.number()  # The version.
        found: dict[str, int] = {}
        while reader.at < len(reader.content):
            kind, body = reader.byte(), _Reader(reader.take(reader.number()))
            for _ in range(body.number() if kind == _SYMBOL_TABLE else 0):
                symbol, flags = body.byte(), body.number()
                is_defined = not flags & _UNDEFINED
                if symbol == _SYMBOL_DATA:
                    body.name()
                    for _ in range(3 if is_defined else 0):
                        body.number()
                    continue
                index = body.number()
                if is_defined or flags & _EXPLICIT_NAME:
                    name = body.name()
                    if symbol == _SYMBOL_FUNCTION and is_defined:
                        found[name] = index
        return found

    def addresses(self, section: str) -> Iterator[tuple[int, int]]:
        """The places of addresses in a section, each with the kind of relocation."""
        reader = _Reader(self.custom.get(section, b"\0\0"))
        reader.number()  # The section's number.
        for _ in range(reader.number()):
            kind, at, _ = reader.byte(), reader.number(), reader.number()
            if kind in _WITH_ADDEND:
                reader.signed()
            if kind in (_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_I32):
                yield kind, at


def make_module(content: bytes, exports: Collection[str]) -> bytes:
    """A module of an object that exports these functions, its memory, and where that is free.

    It imports nothing, so the object must call no ``missing_functions``.
    """
    parsed = _Object.parse(content)
    pointers = _count_stack_pointers(parsed.section(_IMPORT))
    data, end = _moved_data(parsed)
    functions = parsed.function_symbols()
    made = dict(parsed.sections) | {
        _MEMORY: b"\x01\x01" + _number(-(-end // PAGE)) + _number(MAX_PAGES),
        _GLOBAL: _number(pointers + 1)
        + bytes((_I32, 1, _I32_CONST, *_signed(STACK), _END)) * pointers
        + bytes((_I32, 0, _I32_CONST, *_signed(end), _END)),
        _EXPORT: _number(len(exports) + 2)
        + b"".join(
            _named(name) + bytes((_KIND_FUNCTION,)) + _number(functions[name]) for name in exports
        )
        + _named("memory")
        + bytes((_KIND_MEMORY, 0))
        + _named("heap")
        + bytes((_KIND_GLOBAL,))
        + _number(pointers),
        _CODE: _moved(parsed, _CODE, "reloc.CODE"),
        _DATA: data,
    }
    return MAGIC + b"".join(
        bytes((kind,)) + _number(len(made[kind])) + made[kind] for kind in _ORDER if made.get(kind)
    )


def missing_functions(content: bytes) -> list[str]:
    """The functions that an object calls and doesn't define."""
    imports = _imports(_Object.parse(content).section(_IMPORT))
    return [name for name, kind in imports if kind == _KIND_FUNCTION]


def _count_stack_pointers(section: bytes) -> int:
    """How many of an object's imports are stack pointers: none or one.

    That and the memory are to be defined instead.
    """
    found = 0
    for name, _ in _imports(section):
        assert name in ("__linear_memory", "__stack_pointer"), f"nothing defines {name}"
        found += name == "__stack_pointer"
    return found


def _imports(section: bytes) -> Iterator[tuple[str, int]]:
    """The names and kinds of what an object imports."""
    reader = _Reader(section)
    for _ in range(reader.number() if section else 0):
        reader.name()
        name, kind = reader.name(), reader.byte()
        if kind == _KIND_FUNCTION:
            reader.number()  # Its type.
        else:
            reader.byte()  # A global's type, or whether a memory is limited.
            reader.number()  # Whether a global changes, or a memory's size.
        yield name, kind


def _moved(parsed: _Object, kind: int, relocations: str) -> bytes:
    """A section in which all addresses lie behind the stack."""
    body = bytearray(parsed.section(kind))
    for relocation, at in parsed.addresses(relocations):
        if relocation == _ADDRESS_I32:
            (address,) = struct.unpack_from("<I", body, at)
            struct.pack_into("<I", body, at, address + STACK)
        else:
            address = _Reader(bytes(body[at : at + 5])).number() + STACK
            groups = [address >> shift & 0x7F | 0x80 for shift in range(0, 28, 7)]
            body[at : at + 5] = bytes((*groups, address >> 28))
    return bytes(body)


def _moved_data(parsed: _Object) -> tuple[bytes, int]:
    """The data behind the stack, and where it ends, rounded up to 16 bytes."""
    body, end = _moved(parsed, _DATA, "reloc.DATA"), STACK
    reader, made = _Reader(body), bytearray()
    count = reader.number() if body else 0
    for _ in range(count):
        kind, place = reader.byte(), reader.byte()
        start, after = reader.signed() + STACK, reader.byte()
        is_number = (kind, place, after) == (0, _I32_CONST, _END)
        assert is_number, "the place in the memory of each piece of data is a number"
        content = reader.take(reader.number())
        made += bytes((0, _I32_CONST, *_signed(start), _END)) + _number(len(content)) + content
        end = max(end, start + len(content))
    return (_number(count) + made if count else b""), -(-end // 16) * 16


def add_section(module: bytes, name: str, content: bytes) -> bytes:
    """A module with a section of its own meaning, which a browser hands out by its name."""
    body = _named(name) + content
    return module + bytes((_CUSTOM,)) + _number(len(body)) + body
