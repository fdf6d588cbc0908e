"""What deploy/ names exists: metrics, settings, commands, extras and files. Nothing is started."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer.main
import yaml  # type: ignore[import-untyped]

from watermeet.cli.main import app
from watermeet.server.metrics import Metrics
from watermeet.server.settings import FILE_VARIABLE, OTHER_VARIABLES, Settings, read_settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
DASHBOARD = DEPLOY / "grafana/dashboards/watermeet.json"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
SERVICE = (DEPLOY / "systemd/watermeet.service").read_text(encoding="utf-8")
BACKUP = DEPLOY / "systemd/watermeet-backup"
NODES = ("node1", "node2")
SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}
"""What Prometheus's client adds to the names of each kind of metric."""


def _yaml(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))


def _files() -> dict[str, str]:
    files = sorted(file for file in DEPLOY.rglob("*") if file.is_file())
    found = {str(file.relative_to(DEPLOY)): file.read_text(encoding="utf-8") for file in files}
    return {name: text for name, text in found.items() if not name.startswith(("secrets/", ".env"))}


def test_rules_and_panels_use_metrics_and_labels_that_exist() -> None:
    rules = [rule for group in _yaml("alerts.yml")["groups"] for rule in group["rules"]]
    recorded = {rule["record"] for rule in rules if "record" in rule}
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    targets = [target for panel in panels for target in panel["targets"]]
    text = "\n".join(each["expr"] for each in (*rules, *targets))
    named = set(re.findall(r"\bwatermeet[_:][\w:]+", text))
    families = Metrics().registry.collect()
    exported = {family.name + end for family in families for end in SUFFIXES[family.type]}
    assert named - recorded - exported == set()
    labels = {"le", "instance", "job"}  # Prometheus's own.
    labels.update(*(getattr(each, "_labelnames", ()) for each in vars(Metrics()).values()))
    used = set(re.findall(r"[{,]\s*(\w+)=", text))
    used.update(*(re.findall(r"\w+", each) for each in re.findall(r"by \(([^)]*)\)", text)))
    assert used - labels == set()


def test_settings_exist_and_have_valid_values() -> None:
    fields = {field.name for field in msgspec.structs.fields(Settings)}
    known = {f"WATERMEET_{name.upper()}" for name in fields} | {FILE_VARIABLE, *OTHER_VARIABLES}
    text = "\n".join(_files().values())
    # The tag of an image is compose's own variable.
    assert set(re.findall(r"\bWATERMEET_[A-Z_]+\b", text)) - known - {"WATERMEET_TAG"} == set()
    image = dict(re.findall(r"(WATERMEET_\w+)=(\S+)", CONTAINERFILE.partition("ENV PATH")[2]))
    unit = dict(re.findall(r"^Environment=(WATERMEET_\w+)=(\S+)", SERVICE, re.MULTILINE))
    assert read_settings(image).host == "0.0.0.0"  # noqa: S104
    assert read_settings(unit).trusted_proxies == ("127.0.0.1",)


def test_commands_parse() -> None:
    program: Any = typer.main.get_command(app)
    commands = [" ".join(words) for words in [json.loads(CONTAINERFILE.rpartition("CMD ")[2])]]
    commands += re.findall(r"^ExecStart=/opt/watermeet/bin/(watermeet .*)$", SERVICE, re.MULTILINE)
    script = BACKUP.read_text(encoding="utf-8")
    commands += [
        f"watermeet {each}" for each in re.findall(r'^"\$watermeet" (.*)$', script, re.MULTILINE)
    ]
    assert len(commands) == 4
    for each in commands:
        _, name, *arguments = shlex.split(each)
        command = program.commands[name]
        command.make_context(name, arguments)  # Raises for an option that doesn't exist.


def test_the_stack_is_closed() -> None:
    stack = _yaml("compose.yaml")
    services, files = stack["services"], _files()
    for name, service in services.items():
        assert "no-new-privileges:true" in service["security_opt"], name
        assert service["mem_limit"], name
        assert service["image"].partition(":")[2] not in {"", "latest"}, name
        assert set(service.get("secrets", ())) <= set(stack["secrets"]), name
        for port in service.get("ports", ()):
            assert name == "caddy" or port.startswith("127.0.0.1:"), (name, port)
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0].removeprefix("./")
            assert source in stack["volumes"] or any(file.startswith(source) for file in files)
    for name in NODES:
        assert services[name]["read_only"]
        assert services[name]["cap_drop"] == ["ALL"]
    proxy = services["caddy"]["networks"]["inside"]["ipv4_address"]
    assert services[NODES[0]]["environment"]["WATERMEET_TRUSTED_PROXIES"] == proxy
    targets = _yaml("prometheus.yml")["scrape_configs"][0]["static_configs"][0]["targets"]
    assert " ".join(targets) == services["caddy"]["environment"]["NODES"]
    for file in ("datasources/prometheus.yaml", "dashboards/watermeet.yaml"):
        assert _yaml(f"grafana/provisioning/{file}")["apiVersion"] == 1


def test_secrets_are_random_private_and_valid_settings(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    write = [str(DEPLOY / "secrets.sh"), str(folder)]
    subprocess.run(write, check=True, capture_output=True)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.name for file in folder.iterdir()} == set(_yaml("compose.yaml")["secrets"])
    settings = read_settings({}, folder / "watermeet.toml")
    password = (folder / "postgres_password").read_text()
    assert len(password) == 32
    assert f":{password}@postgres:" in settings.store_url
    assert settings.metrics_token == (folder / "metrics_token").read_text()
    assert subprocess.run(write, check=False, capture_output=True).returncode == 1


def test_the_image_installs_pins_and_extras_that_exist() -> None:
    extras = re.findall(r"watermeet\[([\w,]+)\]", CONTAINERFILE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert extras
    pins = (ROOT / "requirements/run.txt").read_text(encoding="utf-8")
    for extra in ",".join(extras).split(","):
        for requirement in project["optional-dependencies"][extra]:
            name = re.split(r"[\[>=<]", requirement)[0]
            assert re.search(rf"^{re.escape(name)}(\[\w+\])?==", pins, re.MULTILINE), requirement
    for file in re.findall(r"-r (\S+)", CONTAINERFILE):
        assert (ROOT / file).is_file()
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text(encoding="utf-8")
    for file in re.findall(r"^!(\S+)$", ignored, re.MULTILINE):
        assert (ROOT / file).exists(), file


@pytest.mark.parametrize(("copy", "kept"), [("true", 2), ("false", 4)])
def test_backups_are_kept_unless_the_copy_fails(tmp_path: Path, copy: str, kept: int) -> None:
    program = tmp_path / "watermeet"  # Stands in for ours, which the tests of the commands cover.
    program.write_text('#!/bin/sh\n[ "$1" != backup ] || : >"$2"\n')
    program.chmod(0o755)
    script = tmp_path / "watermeet-backup"
    script.write_text(BACKUP.read_text(encoding="utf-8"))
    script.chmod(0o755)
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in (1, 2, 3):
        (folder / f"watermeet-2026010{day}T033000Z.db").touch()
    (folder / "mine.db").touch()
    extra = {"BACKUP_DIR": str(folder), "BACKUP_KEEP": "2", "BACKUP_COPY": f'{copy} "$1"'}
    done = subprocess.run([str(script)], env=os.environ | extra, check=False, capture_output=True)
    assert (done.returncode == 0) == (copy == "true"), done.stderr
    assert len(list(folder.glob("watermeet-*.db"))) == kept
    assert (folder / "mine.db").exists()
