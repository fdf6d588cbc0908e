"""Draws the page's icons as PNG from web/public/icon.svg: ``python scripts/icons.py``.

The files are in git: browsers that install the page want them, and the set-up has nothing that
could draw them. Needs the packages of the tests, and chromium.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parents[1] / "web" / "public"
GROUND = "#0b5c6b"
"""That of the icon itself: where masks cut, nothing else may show."""


def main() -> None:
    """Writes icon-192.png and icon-512.png as the icon is, and one with room for masks."""
    drawing = (FOLDER / "icon.svg").read_text(encoding="utf-8")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, size, inner, ground in (
            ("icon-192", 192, 192, "transparent"),
            ("icon-512", 512, 512, "transparent"),
            ("icon-maskable", 512, 410, GROUND),  # Masks leave the inner 80 %.
        ):
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>body {{ margin: 0; height: {size}px; background: {ground}; display: grid;"
                f" place-items: center }} svg {{ width: {inner}px }}</style>{drawing}"
            )
            page.screenshot(path=FOLDER / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
