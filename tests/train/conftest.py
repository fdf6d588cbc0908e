"""Training needs extras that only the nightly tests install; CI allows no skips."""

from __future__ import annotations

from importlib.util import find_spec

if not all(map(find_spec, ("torch", "onnx", "onnxruntime"))):
    collect_ignore_glob = ["test_*.py"]
elif find_spec("ray") is None:
    collect_ignore_glob = ["test_cluster.py"]
