"""Tests of the library, the server and the page.

A package, so that it comes before the packages named tests that some libraries install.
"""
