"""Takes screenshots of every page and board: ``python scripts/screens.py FOLDER [WORD...]``.

At desktop and phone size, light and dark; with words, only those with one of them in the name.
``--readme`` takes those in docs/pictures again, by their names, as WebP; ``--webp`` takes such ones
into any folder. Needs the packages of the tests, Chromium, and the built client.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # Some packages install a folder named tests.

from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402
from tests.server.driving import plain_server  # noqa: E402
from tests.web.staging import (  # noqa: E402
    BOARDS,
    SECRETIVE,
    SIMPLE,
    Stage,
    Staged,
    give_seats,
)

SIZES = {"desktop": (1280, 860), "phone": (390, 844)}
PICTURES = ROOT / "docs" / "pictures"
PACK = """async (picture) => {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', 0.86);
}"""


@dataclass(frozen=True)
class Shot:
    """What to show: a name, a path, and its match and seats, if any."""

    name: str
    path: str
    staged: Staged | None = None
    seats: tuple[int, ...] = ()


def shots(stage: Stage) -> Iterator[Shot]:
    """Yield all pages; matches as the seat to move sees them."""
    for game in BOARDS:
        staged = stage.middle(game)
        yield Shot(f"match-{game}", staged.path, staged, (stage.mover(staged),))
    for game in BOARDS:
        over = stage.over(game)
        yield Shot(f"over-{game}", over.path)
    first = SIMPLE
    waiting = stage.start(first, is_public=True)
    yield Shot("home", "/")
    yield Shot("lobby", "/lobby")
    yield Shot("settings", "/settings")
    yield Shot("analysis", "/analysis")
    yield Shot(f"analysis-{first}", f"/analysis?match={stage.over(first).match}&ply=6")
    yield Shot(f"play-{first}", f"/play/{first}")
    yield Shot(f"rules-{first}", f"/rules/{first}")
    yield Shot("watching", waiting.path)
    yield Shot("missing", "/match/nothing")
    hidden = stage.middle(SECRETIVE)
    yield Shot("hand-over", hidden.path, hidden, (0, 1))


def take(browser: Browser, address: str, shot: Shot, size: str, theme: str) -> Page:
    """Open a page as somebody sees it."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=1,
        color_scheme=theme,  # type: ignore[arg-type]
        locale="en-GB",
        reduced_motion="reduce",
        service_workers="block",
        has_touch=size == "phone",
    )
    if shot.staged is not None:
        give_seats(context, shot.staged, *shot.seats)
    page = context.new_page()
    page.goto(address + shot.path)
    page.locator("h1").first.wait_for(state="attached")
    page.wait_for_load_state("networkidle") if shot.staged is None else page.wait_for_timeout(700)
    return page


def pack(browser: Browser, png: bytes, file: Path) -> None:
    """Write a picture as WebP, which is a third of the size."""
    page = browser.new_page()
    packed: str = page.evaluate(PACK, f"data:image/png;base64,{b64encode(png).decode()}")
    file.write_bytes(b64decode(packed.partition(",")[2]))
    page.close()


def main(arguments: list[str]) -> None:
    """Take all screenshots, or those asked for."""
    for_readme = "--readme" in arguments
    is_packed = for_readme or "--webp" in arguments
    words = [word for word in arguments if not word.startswith("--")]
    folder = PICTURES if for_readme else Path(words.pop(0))
    folder.mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as data, plain_server(Path(data), bot_workers=0) as found:
        stage, address = Stage(f"http://{found}"), f"http://{found}"
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            for shot, size, theme in product(shots(stage), SIZES, ("light", "dark")):
                name = f"{shot.name}-{size}-{theme}"
                if for_readme and not (PICTURES / f"{name}.webp").exists():
                    continue
                if words and not any(word in name for word in words):
                    continue
                page = take(browser, address, shot, size, theme)
                png = page.screenshot(full_page=not is_packed)
                if is_packed:
                    pack(browser, png, folder / f"{name}.webp")
                else:
                    (folder / f"{name}.png").write_bytes(png)
                page.context.close()
            browser.close()
        stage.close()


if __name__ == "__main__":
    main(sys.argv[1:])
