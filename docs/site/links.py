"""Finds dead links in a folder of web pages: files and headings that are not there, and things loaded from elsewhere.

    python docs/site/links.py FOLDER
"""

from __future__ import annotations

import html
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


def escaped(text: str) -> str:
    return html.escape(text, quote=True)


class Page(HTMLParser):
    """What a page links to, and what can be linked to in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.names: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key in ("id", "name") and value:
                self.names.add(value)
            if key in ("href", "src") and value is not None:
                self.links.append((tag, value))


def dead(folder: Path) -> list[str]:
    """What is wrong, a line each."""
    folder = folder.resolve()
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    wrong = []
    for path, page in pages.items():
        for tag, link in page.links:
            where = f"{path.relative_to(folder)}: <{tag}> {link[:120]}"
            parts = urlsplit(link)
            if parts.scheme in ("http", "https") or parts.netloc:
                # A reader may go elsewhere; a page may not need to.
                if tag != "a":
                    wrong.append(f"{where}: loaded from elsewhere")
                continue
            if parts.scheme:
                continue
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if to.is_dir():
                to /= "index.html"
            if not to.is_relative_to(folder) or not to.exists():
                wrong.append(f"{where}: no such file")
            elif parts.fragment and to in pages and unquote(parts.fragment) not in pages[to].names:
                # Viewers take settings there.
                if "=" not in parts.fragment:
                    wrong.append(f"{where}: no such place")
    return wrong


if __name__ == "__main__":
    complaints = dead(Path(sys.argv[1]))
    print("\n".join(complaints))
    sys.exit(bool(complaints))
