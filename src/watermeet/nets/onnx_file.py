"""Reads an ONNX file, which is a protocol buffer, with NumPy alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]
# Numbers of fields in onnx.proto.
_GRAPH, _METADATA = 7, 14
_KEY, _VALUE = 1, 2
_NODES, _PARAMETERS = 1, 5
_INPUTS, _OPERATION = 1, 4
_DIMENSIONS, _TYPE, _FLOATS, _INTEGERS, _NAME, _RAW = 1, 2, 4, 5, 8, 9
_TYPES = {1: "<f4", 2: "u1", 3: "i1", 6: "<i4", 7: "<i8"}
# Wire types of protocol buffers.
_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5


@dataclass(frozen=True)
class Node:
    """An operation, and the names of what it takes."""

    operation: str
    inputs: tuple[str, ...]


@dataclass(frozen=True)
class OnnxFile:
    """What a file says of a network."""

    metadata: dict[str, str]
    nodes: tuple[Node, ...]
    parameters: dict[str, Array]

    @classmethod
    def read(cls, file: Path) -> OnnxFile:
        """Read a file; raises ValueError if it isn't an ONNX file."""
        try:
            return cls._parse(file.read_bytes())
        except (AssertionError, IndexError, KeyError, ValueError) as error:
            raise ValueError(f"{str(file)!r} isn't an ONNX file") from error

    @classmethod
    def _parse(cls, message: bytes) -> OnnxFile:
        metadata, nodes, parameters = {}, list[Node](), {}
        for field, content in _fields(message):
            if field == _METADATA:
                entry = dict(_fields(_bytes(content)))
                metadata[_bytes(entry[_KEY]).decode()] = _bytes(entry[_VALUE]).decode()
            for part, found in _fields(_bytes(content)) if field == _GRAPH else ():
                if part == _NODES:
                    nodes.append(_node(_bytes(found)))
                elif part == _PARAMETERS:
                    name, array = _parameter(_bytes(found))
                    parameters[name] = array
        return cls(metadata, tuple(nodes), parameters)


def _node(message: bytes) -> Node:
    operation, inputs = "", []
    for field, content in _fields(message):
        if field == _INPUTS:
            inputs.append(_bytes(content).decode())
        elif field == _OPERATION:
            operation = _bytes(content).decode()
    return Node(operation, tuple(inputs))


def _parameter(message: bytes) -> tuple[str, Array]:
    """A tensor: its numbers stand in one block of bytes, or one by one as varints or floats."""
    name, dimensions, raw, kind, listed = "", list[int](), b"", 0, list[int]()
    for field, content in _fields(message):
        if field == _DIMENSIONS:
            dimensions += _integers(content)
        elif field == _TYPE:
            kind = int(content)
        elif field == _NAME:
            name = _bytes(content).decode()
        elif field in (_RAW, _FLOATS):
            raw += _bytes(content)
        elif field == _INTEGERS:
            listed += _integers(content)
    assert kind in _TYPES, f"{name} has a type of numbers that networks don't use"
    dtype = np.dtype(_TYPES[kind])
    array = np.frombuffer(raw, dtype) if raw else np.array(listed, np.int64).astype(dtype)
    return name, array.reshape(dimensions)


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The number and the content of each field."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        if key & 7 == _VARINT:
            content, place = _varint(message, place)
            yield key >> 3, content
            continue
        if key & 7 == _LENGTH:
            length, place = _varint(message, place)
        else:
            length = {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}[key & 7]
        yield key >> 3, message[place : place + length]
        place += length


def _varint(message: bytes, place: int) -> tuple[int, int]:
    """A number in groups of seven bits, the lowest first, and the place after it."""
    number = shift = 0
    while True:
        byte = message[place]
        number |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return number, place


def _integers(content: int | bytes) -> list[int]:
    """One integer, or several in a row."""
    if isinstance(content, int):
        return [content]
    found, place = [], 0
    while place < len(content):
        number, place = _varint(content, place)
        found.append(number)
    return found


def _bytes(content: int | bytes) -> bytes:
    assert isinstance(content, bytes), "a field with a length"
    return content
