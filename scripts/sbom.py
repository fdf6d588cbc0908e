"""Write what a release is made of: ``make sbom``.

    dist/sbom.cdx.json           a software bill of materials, CycloneDX 1.6
    docs/reference/licenses.md   the licenses of all that is installed with the server

Both come from the pins, requirements/run.txt and package-lock.json, and need no network. Pins have
hashes of the files; the bill has the names that scanners look up. It is the same wherever it is
written, so it has neither a date nor a serial number.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "licenses.md"
BILL = ROOT / "dist" / "sbom.cdx.json"
BUNDLED = ("svelte", "uqr")
"""The packages whose code may be in the page; Node's others only build and test it."""
NOT_IN_METADATA = {
    "async-timeout": "Apache-2.0",
    "colorama": "BSD-3-Clause",
    "confusable-homoglyphs": "MIT",
    "flatbuffers": "Apache-2.0",
    "h11": "MIT",
    "markdown-it-py": "MIT",
    "mdurl": "MIT",
    "numba": "BSD-2-Clause",
    "onnxruntime": "MIT",
    "protobuf": "BSD-3-Clause",
    "pyasn1": "BSD-2-Clause",
    "pyasn1-modules": "BSD-2-Clause",
    "pyopenssl": "Apache-2.0",
    "python-dotenv": "BSD-3-Clause",
    "pyyaml": "MIT",
    "rich": "MIT",
    "segno": "BSD-3-Clause",
    "shellingham": "ISC",
    "uvloop": "MIT OR Apache-2.0",
    "valkey": "MIT",
    "watchfiles": "MIT",
}
"""Packages that don't state their license as an expression, or are for other systems."""


def python_pins() -> list[tuple[str, str]]:
    """The name and version of every pin; some have several, for several versions of Python."""
    text = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    return re.findall(r"^([\w.-]+)(?:\[[\w,]+\])?==([^\s;]+)", text, re.MULTILINE)


def license_of(name: str) -> str:
    """The license of a Python package; exits if nobody knows it."""
    if name in NOT_IN_METADATA:
        return NOT_IN_METADATA[name]
    try:
        expression = metadata(name).get("License-Expression")
    except PackageNotFoundError:
        expression = None
    if not expression:
        sys.exit(f"{name} doesn't state its license: look it up, and add it to scripts/sbom.py")
    return str(expression)


def node_packages() -> dict[str, dict[str, Any]]:
    """What package-lock.json pins, by path."""
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    return {path: package for path, package in lock["packages"].items() if path}


def bundled(packages: dict[str, dict[str, Any]]) -> set[str]:
    """The paths of the packages whose code may be in the page."""
    found: set[str] = set()
    open_names = list(BUNDLED)
    while open_names:
        path = f"node_modules/{open_names.pop()}"
        if path in packages and path not in found:
            found.add(path)
            open_names += packages[path].get("dependencies", {})
    return found


def _component(kind: str, name: str, version: str, license_: str) -> dict[str, Any]:
    address = f"pkg:{kind}/{name.replace('@', '%40')}@{version}"
    return {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
        "licenses": [{"expression": license_}],
    }


def bill() -> dict[str, Any]:
    """The bill of materials."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ours = _component("pypi", project["name"], project["version"], project["license"])
    components = {}
    for name, version in python_pins():
        each = _component("pypi", name, version, license_of(name)) | {"scope": "required"}
        components[each["bom-ref"]] = each
    packages = node_packages()
    in_page = bundled(packages)
    for path, package in packages.items():
        name = path.rpartition("node_modules/")[2]
        each = _component("npm", name, package["version"], package["license"])
        each["scope"] = "required" if path in in_page else "excluded"
        algorithm, _, digest = package.get("integrity", "").partition("-")
        if algorithm == "sha512":
            content = base64.b64decode(digest).hex()
            each["hashes"] = [{"alg": "SHA-512", "content": content}]
        known = components.setdefault(each["bom-ref"], each)
        if each["scope"] == "required":  # The same version may be there twice.
            known["scope"] = "required"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": ours | {"type": "application"}},
        "components": [components[key] for key in sorted(components)],
    }


def page() -> str:
    """The page about licenses."""
    lines = [
        "# Licenses of dependencies",
        "",
        "Written by `make sbom` from the pins. Watermeet itself is under Apache-2.0.",
        "",
        "## Installed with the server",
        "",
        "| package | license |",
        "|---|---|",
    ]
    names = sorted({name for name, _ in python_pins()})
    lines += [f"| {name} | {license_of(name)} |" for name in names]
    packages = node_packages()
    lines += ["", "## May be in the page", "", "| package | license |", "|---|---|"]
    for path in sorted(bundled(packages)):
        name = path.removeprefix("node_modules/")
        lines.append(f"| {name} | {packages[path]['license']} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write both files, or with --check compare the page."""
    parser = argparse.ArgumentParser(description="Write the bill of materials and the licenses.")
    parser.add_argument("--check", action="store_true", help="only compare, and print the bill")
    if parser.parse_args().check:
        print(json.dumps(bill()))
        sys.exit(page() != PAGE.read_text(encoding="utf-8"))
    BILL.parent.mkdir(exist_ok=True)
    BILL.write_text(json.dumps(bill(), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
    print(f"Wrote {BILL.relative_to(ROOT)} and {PAGE.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
