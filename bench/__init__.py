"""Benchmarks beside other libraries: each writes results/*.json, from which RESULTS.md is made."""
