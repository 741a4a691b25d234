"""Builds the site: pages from the documents of the repository, viewers of the scenarios, a check of all links.

    python docs/site/build.py --program polhode --playground playground.html --to target/site

`cargo xtask docs` calls it, in an environment with what requirements.txt lists and the package `polhode`. Nothing is
written twice: a page takes sections of README.md, notebooks, examples and docstrings where a comment asks for them.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import links

SITE = Path(__file__).resolve().parent
ROOT = SITE.parents[1]
#: A link of Markdown: its text, and where it goes.
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
#: What a page asks for.
ASKED = re.compile(r"^<!-- (.+) -->$", re.M)


def section(text: str, title: str) -> str:
    """The section of this title, with its heading."""
    found = re.search(rf"^(#+) {re.escape(title)}\n.*?(?=^#{{1,2}} |\Z)", text, re.M | re.S)
    if not found:
        raise SystemExit(f"no section {title!r}")
    return found[0].strip()


def notebook(path: Path) -> str:
    """A notebook as Markdown: texts, code, and what it printed and drew."""
    out = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            # Its title is that of the section it becomes.
            out.append(re.sub(r"^(#+) ", r"\1## ", re.sub(r"\A# .*\n*", "", text), flags=re.M))
            continue
        out.append(f"```python\n{text}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                alt = "What the code above draws"
                out.append(f'<img alt="{alt}" src="data:image/png;base64,{"".join(data["image/png"]).strip()}">')
            elif "text" in output or "text/plain" in data:
                told = "".join(output.get("text") or data["text/plain"])
                # A figure that was drawn says no more than that.
                if not re.match(r"<(Figure|Axes|View|matplotlib|.*Text\()", told):
                    out.append(f"```text\n{told.rstrip()}\n```")
    return "\n\n".join(out)


def python_reference() -> str:
    """Every public name of the package, from its docstrings."""
    import polhode

    classes = [name for name in polhode.__all__ if isinstance(getattr(polhode, name, None), type)]
    functions = [name for name in polhode.__all__ if callable(getattr(polhode, name, None)) and name not in classes]
    parts = ["## Functions", *(f"```{{eval-rst}}\n.. autofunction:: polhode.{n}\n```" for n in functions)]
    parts += ["## Classes", *(f"```{{eval-rst}}\n.. autoclass:: polhode.{n}\n```" for n in classes)]
    for module in ["torques", "control", "inside", "shape", "so3", "elliptic", "plot"]:
        parts += [f"## polhode.{module}", f"```{{eval-rst}}\n.. automodule:: polhode.{module}\n```"]
    return "\n\n".join(parts)


def references() -> str:
    """The papers, from the bibliography that `polhode cite` prints."""
    text = (ROOT / "crates/polhode/references.bib").read_text(encoding="utf-8")
    lines = []
    for entry in re.findall(r"^@\w+\{(.*?)^\}", text, re.M | re.S):
        key, _, rest = entry.partition(",")
        fields = dict(re.findall(r"(\w+)\s*=\s*\{((?:[^{}]|\{[^{}]*\}|\{[^{}]*\{[^{}]*\}[^{}]*\})*)\}", rest))
        plain = {k: re.sub(r"\s+", " ", re.sub(r"[{}]|\\(?=[a-z&])", "", accents(v))) for k, v in fields.items()}
        where = plain.get("journal") or plain.get("publisher") or plain.get("institution") or plain.get("url", "")
        facts = [plain.get("author", ""), f"*{plain.get('title', key)}*", where, plain.get("year", "")]
        lines.append(f"- `{key}`: {', '.join(fact for fact in facts if fact)}.")
    return "\n".join(lines)


def accents(text: str) -> str:
    """The accents of TeX as letters."""
    for tex, letter in {r"\"o": "ö", r"\"a": "ä", r"\"u": "ü", r"\'e": "é", r"\`e": "è", r"\o": "ø", "--": "–"}.items():
        text = text.replace("{" + tex + "}", letter).replace(tex, letter)
    return text


def fetched(asked: str) -> str:
    """What a comment of a page asks for."""
    what, _, rest = asked.partition(" ")
    if what == "README.md,":
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        if rest == "before the first heading":
            return readme.split("\n## ")[0].split("\n\n", 2)[2].strip()
        if rest.startswith("text of "):
            return section(readme, rest.removeprefix("text of section ")).split("\n", 1)[1].strip()
        return section(readme, rest.removeprefix("section "))
    if what == "notebook":
        return notebook(ROOT / rest)
    if what == "code":
        return f"```rust\n{(ROOT / rest).read_text(encoding='utf-8').strip()}\n```"
    if asked == "python reference":
        return python_reference()
    if asked == "references":
        return references()
    return f"<!-- {asked} -->"


class Stage:
    """The pages as Sphinx takes them, at the paths that they have in the repository: links go on working."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages: dict[str, str] = {}

    def page(self, name: str, text: str, origin: str) -> None:
        """A page, whose links are those of a file of the repository at `origin`."""
        if name in self.pages:
            return
        self.pages[name] = origin
        base = (ROOT / origin).parent

        def mended(match: re.Match[str]) -> str:
            bang, words, target = match.groups()
            path, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target) or not path:
                return match[0]
            anchor = f"#{anchor}" if anchor else ""
            file = (base / path).resolve()
            if not file.is_relative_to(ROOT) or not file.exists():
                # A page of the site itself.
                return match[0]
            name_of_file = file.relative_to(ROOT).as_posix()
            here = Path(name).parent
            if file.is_dir():
                to = "gallery.md" if name_of_file == "scenarios" else None
                return f"{bang}[{words}]({up(here)}{to})" if to else words
            if file.suffix == ".md":
                if name_of_file == "README.md":
                    return f"[{words}]({up(here)}index.md{anchor})"
                self.page(name_of_file, file.read_text(encoding="utf-8"), name_of_file)
            else:
                copy = self.folder / name_of_file
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)
            return f"{bang}[{words}]({up(here)}{name_of_file}{anchor})"

        # What stands in code is no link.
        parts = re.split(r"(^```.*?^```$|`[^`\n]+`(?!\]))", text, flags=re.M | re.S)
        text = "".join(part if i % 2 else LINK.sub(mended, part) for i, part in enumerate(parts))
        # A hidden line of a Rust example.
        text = re.sub(r"(?<=\n)# .*\n(?=(?:.*\n)*?```)", lambda m: m[0], text)
        to = self.folder / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8")


def up(here: Path) -> str:
    return "../" * len(here.parts)


def described(scenario: Path) -> str:
    """The first sentences of a scenario."""
    lines = []
    for line in scenario.read_text(encoding="utf-8").splitlines():
        line = line.removeprefix("#").strip()
        if not line:
            break
        lines.append(line)
    return " ".join(lines)


def gallery(program: str, extra: Path) -> str:
    """The viewers and plots of all scenarios, and the page that shows them."""
    (extra / "viewers").mkdir(parents=True)
    cards = []
    for scenario in sorted((ROOT / "scenarios").glob("*.toml")):
        name = scenario.stem
        print(f"gallery: {name}", flush=True)
        out = [arg for end in ("html", "svg") for arg in ("--out", f"viewers/{name}.{end}")]
        subprocess.run([program, "run", scenario, *out, "--force"], cwd=extra, check=True, stdout=subprocess.DEVNULL)
        cards.append(
            f'<section class="card"><h2 id="{name}"><a href="viewers/{name}.html">{name}</a></h2>'
            f"<p>{links.escaped(described(scenario))}</p>"
            f'<a href="viewers/{name}.html"><img loading="lazy" src="viewers/{name}.svg" alt="Plots of {name}: '
            f'{links.escaped(plots(extra / f"viewers/{name}.svg"))}"></a></section>'
        )
    about = (
        "Every scenario that the program carries: a click on a name opens the body turning in three dimensions, with its "
        "plots. `polhode run NAME --out NAME.html` makes the same page, `polhode new NAME` prints the scenario to make "
        "your own of.\n"
    )
    return f"# Gallery\n\n{about}\n```{{raw}} html\n" + "\n".join(cards) + "\n```\n"


def plots(svg: Path) -> str:
    """What a picture says of itself."""
    found = re.search(r"<desc>(.*?)</desc>", svg.read_text(encoding="utf-8"), re.S)
    return re.sub("&[a-z]+;", " ", found[1]) if found else ""


def run_commands(program: str, pages: list[Path], scratch: Path) -> None:
    """Runs what the tutorials tell to type."""
    scratch.mkdir(parents=True)
    for file in (ROOT / "examples/trajectories").iterdir():
        shutil.copy(file, scratch)
    for page in pages:
        for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
            for line in block.splitlines():
                if line.startswith("polhode "):
                    print(f"{page.stem}: {line}", flush=True)
                    command = line.replace("polhode", f"'{program}'", 1)
                    ran = subprocess.run(["sh", "-c", command], cwd=scratch, capture_output=True, text=True)
                    # A check that finds something says so by its exit code.
                    allowed = (0, 1) if line.startswith("polhode check ") else (0,)
                    if ran.returncode not in allowed:
                        raise SystemExit(f"{page.name}: {line}: exit code {ran.returncode}\n{ran.stderr}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the program polhode")
    parser.add_argument("--playground", required=True, type=Path, help="the page of the playground")
    parser.add_argument("--to", required=True, type=Path, help="the folder of the site")
    given = parser.parse_args()
    program = str(Path(given.program).resolve())
    work = given.to.resolve().with_name(given.to.name + "-source")
    for folder in (work, given.to):
        if folder.exists():
            shutil.rmtree(folder)
    extra, static = work / "_extra", work / "_static"
    extra.mkdir(parents=True)
    shutil.copyfile(given.playground, extra / "playground-page.html")
    static.mkdir()
    shutil.copy(SITE / "site.css", static)
    shutil.copy(SITE / "conf.py", work)
    stage = Stage(work)
    own = [*sorted(SITE.glob("*.md")), *sorted(SITE.glob("tutorials/*.md"))]
    run_commands(program, own, work / "_scratch")
    shutil.rmtree(work / "_scratch")
    for page in own:
        name = page.relative_to(SITE).as_posix()
        text = ASKED.sub(lambda asked: fetched(asked[1]), page.read_text(encoding="utf-8"))
        stage.page(name, text, "README.md" if name.count("/") == 0 else "docs/README.md")
    # The rest of the table of contents.
    for name in re.findall(r"^((?:docs|crates)/\S+|[A-Z]+)$", (SITE / "index.md").read_text(encoding="utf-8"), re.M):
        stage.page(f"{name}.md", (ROOT / f"{name}.md").read_text(encoding="utf-8"), f"{name}.md")
    (work / "gallery.md").write_text(gallery(program, extra), encoding="utf-8")
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", work, given.to]
    if subprocess.run(sphinx).returncode != 0:
        raise SystemExit("the site has warnings")
    dead = links.dead(given.to)
    for complaint in dead:
        print(complaint, file=sys.stderr)
    if dead:
        raise SystemExit(f"{len(dead)} dead links")
    print(f"{given.to}/index.html: {len(list(given.to.rglob('*.html')))} pages, no dead link")


if __name__ == "__main__":
    main()
