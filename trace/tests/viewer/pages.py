"""Sample pages and the words in which the page's tests are written."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "viewer"))

import build  # noqa: E402, F401
import make_sample as samples  # noqa: E402

SMALL = ["puzzle", "server", "single", "empty", "lossy", "cluster", "minute"]
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def equal(found, wanted):
    assert found == wanted, f"{found!r} instead of {wanted!r}"


def contains(text, part):
    assert part in text, f"{part!r} is not in {text!r}"


class Pages:
    """The sample pages, each made when it is first wanted."""

    def __init__(self, folder, browser):
        self.folder = pathlib.Path(folder)
        self.browser = browser
        self.traces = {}

    def trace(self, name):
        if name not in self.traces:
            self.traces[name] = getattr(samples, name)()
            self.traces[name].write(self.path(name))
        return self.traces[name]

    def path(self, name):
        return self.folder / f"{name}.html"

    def open(self, name, width=1280, height=800, dark=False, still=True):
        """Opens a sample, still: without gliding, so that what is asked for is there at once."""
        self.trace(name)
        self.browser.size(width, height, dark, still)
        self.browser.open(self.path(name))
        return self.browser

    def made(self, trace, width=1280):
        """Opens a page with this trace."""
        path = self.path("made")
        trace.write(path)
        self.browser.size(width, 800, False, True)
        self.browser.open(path)
        equal(self.browser.errors, [])
        return self.browser

    def changed(self, name, change):
        """Opens a sample whose text was changed; the page is expected to say what is wrong."""
        self.trace(name)
        path = self.path("changed")
        path.write_text(change(self.path(name).read_text(encoding="utf-8")), encoding="utf-8")
        self.browser.open(path, ready="document.body.classList.contains('failed')")
        equal(self.browser.errors, [])
        return self.browser.text("#problem")


def number(b):
    """The iteration that the wheel shows."""
    return b.text(".dial-number")


def listed(b):
    """The names in the list of what happened."""
    return b.run("[...document.querySelectorAll('#happened .entry .name')].map(e => e.textContent)")


def search(b, query):
    b.run(f"document.querySelector('#query').value = {query!r}, phasorPage.search.run()")


def canvas_point(b, row, part=0.5):
    """Where a row is on the screen."""
    return b.run(f"""(() => {{
        const t = phasorPage.timeline, rows = phasorPage.model.rows, row = {row};
        t.canvas.scrollIntoView({{ block: 'center' }});
        const box = t.canvas.getBoundingClientRect(), line = t.lineOf(row);
        return [box.x + t.xOf(rows.start[row] + rows.duration[row] * {part}),
                box.y + 22 - t.top + line.y + line.height / 2];
    }})()""")


def drawn(b, name="timeline"):
    """The texts that a canvas shows."""
    return b.run(f"""(() => {{
        const canvas = phasorPage.{name}.canvas, context = canvas.getContext('2d'), texts = [];
        const plain = context.fillText;
        context.fillText = function (text, ...more) {{
            texts.push(text);
            plain.call(this, text, ...more);
        }};
        phasorPage.drawNow();
        delete context.fillText;
        return texts;
    }})()""")


def colours_at(b, name, x, y, width=1, height=1):
    """The colours of a part of a canvas, as CSS writes them, each once."""
    return b.run(f"""(() => {{
        phasorPage.drawNow();
        const {{ data }} = phasorPage.{name}.canvas.getContext('2d')
            .getImageData({x}, {y}, {width}, {height});
        const seen = new Set();
        for (let i = 0; i < data.length; i += 4)
            if (data[i + 3] === 255)
                seen.add('#' + [0, 1, 2].map((k) => data[i + k].toString(16).padStart(2, '0'))
                    .join(''));
        return [...seen];
    }})()""")


def colour(b, name):
    return b.run(f"getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()")


def line(b, kind, track=0):
    """A row of the timeline: [y of its top on the canvas, its height]."""
    return b.run(f"""(() => {{
        const t = phasorPage.timeline;
        const line = t.layout.rows.find(
            (l) => l.kind === '{kind}' && (l.track?.index ?? 0) === {track});
        return [22 - t.top + line.y, line.height];
    }})()""")


def view(b):
    return b.run("[phasorPage.view.from, phasorPage.view.to]")
