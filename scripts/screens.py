"""Takes the README's picture of the home page: ``make screens``. Needs Chromium, and the page."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).resolve().parents[1] / "docs/pictures/home-desktop-light.webp"


def main() -> None:
    """Start a server without bots, and write what a newcomer sees."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "watermeet", "serve", "--no-open", "--port", "0"]
        server = subprocess.Popen([*command, "--data-dir", data], stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            address = next(
                found[1]
                for line in server.stderr
                if (found := re.search(r"is running at (\S+)", line))
            )
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
                page = browser.new_page(locale="en-GB", reduced_motion="reduce")
                page.set_viewport_size({"width": 1280, "height": 860})
                page.goto(address, wait_until="networkidle")
                png = page.screenshot()
                browser.close()
        finally:
            server.terminate()
            server.communicate()
    Image.open(io.BytesIO(png)).save(PICTURE, quality=86)


if __name__ == "__main__":
    main()
