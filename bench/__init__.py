"""Benchmarks, beside other libraries in the same run. RESULTS.md keeps the figures."""
