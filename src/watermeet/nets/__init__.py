"""Networks that judge positions of any game: their shape, PyTorch modules, and ONNX files."""
