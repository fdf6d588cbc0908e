"""Renders the page's icons as PNG from web/public/icon.svg: ``python scripts/icons.py``.

The PNG files are in git because rendering them needs Chromium and the packages of the tests.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parents[1] / "web" / "public"
BACKGROUND = "#0b5c6b"
"""The icon's own colour, for the area that masks cut off."""


def main() -> None:
    """Write icon-192.png and icon-512.png, and one with a margin for masks."""
    drawing = (FOLDER / "icon.svg").read_text(encoding="utf-8")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, size, inner, background in (
            ("icon-192", 192, 192, "transparent"),
            ("icon-512", 512, 512, "transparent"),
            ("icon-maskable", 512, 410, BACKGROUND),  # Masks keep the inner 80 %.
        ):
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>body {{ margin: 0; height: {size}px; background: {background};"
                " display: grid; place-items: center }"
                f" svg {{ width: {inner}px }}</style>{drawing}"
            )
            page.screenshot(path=FOLDER / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
