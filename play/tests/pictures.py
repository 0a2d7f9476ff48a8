"""pictures.py SAVED.html FOLDER [write]: pictures of the page, beside those that are stored. All
text is drawn as boxes (boxes_font.py), and what the browser draws by itself is hidden; what is left
is where things stand, and their colours. With `write` they are stored anew."""

import base64
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "trace/tests/viewer"))
import chromium  # noqa: E402
from boxes_font import font  # noqa: E402
from pixels import images  # noqa: E402

PAGE, FOLDER = sys.argv[1:3]
STORED = HERE / "pictures"
CELL, LEAST, MOST_CELLS = 16, 0.2, 8  # edges may be drawn anew, but no word or box
# Name, width, dark, language, the step that is shown.
PICTURES = (("wide", 1360, False, "en", "imm-after-poll"), ("dark", 1360, True, "en", "tick-first"),
            ("telephone", 390, False, "en", "imm-after-poll"),
            ("chinese", 1360, False, "zh", "imm-after-poll"))


def dress(browser, text):
    """Every letter becomes a box."""
    data = base64.b64encode(font(text)).decode()
    browser.run(f"""(async () => {{
        const boxes = new FontFace('Boxes', 'url(data:font/ttf;base64,{data})');
        document.fonts.add(await boxes.load());
        const style = document.createElement('style');
        style.textContent = "*, *::before, *::after {{ font-family: Boxes !important;" +
            "transition: none !important; caret-color: transparent !important }}" +
            "input[type=range], select {{ visibility: hidden }}";
        document.head.append(style);
        await document.fonts.ready;
    }})()""")


def differing(browser, one, other):
    """How many cells of two pictures differ; all of them if the sizes do."""
    return browser.run(f"""(async () => {{
        const [a, b] = {images(one, other)};
        const across = Math.ceil(a.width / {CELL});
        const cells = new Float64Array(across * Math.ceil(a.height / {CELL}));
        if (a.width !== b.width || a.height !== b.height) return cells.length;
        for (let i = 0; i < a.data.length; i += 4) {{
            if (![0, 1, 2].some((j) => Math.abs(a.data[i + j] - b.data[i + j]) > 64)) continue;
            const x = (i / 4) % a.width, y = Math.floor(i / 4 / a.width);
            cells[Math.floor(y / {CELL}) * across + Math.floor(x / {CELL})] += 1 / {CELL ** 2};
        }}
        return cells.filter((part) => part > {LEAST}).length;
    }})()""")


def main():
    text = pathlib.Path(PAGE).read_text(encoding="utf-8")
    wrong = []
    with chromium.Browser() as browser:
        for name, width, dark, language, step in PICTURES:
            browser.size(width, 900, dark, still=True)
            browser.open(PAGE)
            dress(browser, text)
            if browser.run("document.documentElement.lang") != language:
                browser.click("#language")
            browser.run("document.activeElement.blur(); phasorPlay.player.go(1 + phasorPlay.model"
                        f".steps.findIndex((one) => one.key === '{step}'))")
            browser.run("new Promise((done) => requestAnimationFrame(() =>"
                        "requestAnimationFrame(done)))")
            made = pathlib.Path(FOLDER, f"{name}.png")
            browser.screenshot(made)
            stored = STORED / f"{name}.png"
            if sys.argv[3:] == ["write"]:
                STORED.mkdir(exist_ok=True)
                stored.write_bytes(made.read_bytes())
                continue
            count = differing(browser, made.read_bytes(), stored.read_bytes())
            if count > MOST_CELLS:
                wrong.append(f"{name}: {count} cells of {CELL} pixels")
    if wrong:
        sys.exit(f"pictures.py: not as stored: {', '.join(wrong)}")
    print("the pictures are as stored" if sys.argv[3:] == [] else "the pictures are stored")


main()
