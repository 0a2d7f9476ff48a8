"""The page in headless Chromium, with made-up traces. Prints one line per test.

    page.py [--pictures FOLDER] [NAME...]

Leaves with 77 when Chromium is not installed.
"""

import argparse
import base64
import pathlib
import sys
import tempfile
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "viewer"))

import build  # noqa: E402
import chromium  # noqa: E402
import make_sample as samples  # noqa: E402

SMALL = ["puzzle", "server", "single", "empty", "lossy"]
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


@test
def every_sample_loads_without_errors_or_network(pages):
    for name in SMALL:
        for dark in (False, True):
            b = pages.open(name, dark=dark)
            equal(b.errors, [])
            equal(b.requests, [pages.path(name).resolve().as_uri()])


@test
def figures_are_those_of_the_rows(pages):
    trace = pages.trace("server")
    b = pages.open("server")
    turns = [row for row in trace.rows if row[2] == samples.ITERATION]
    waits = [row for row in trace.rows if row[2] == samples.WAIT]
    span = turns[-1][0] + turns[-1][1] - turns[0][0]
    lag = []
    for turn in turns:
        slept = sum(w[1] for w in waits if turn[0] <= w[0] <= turn[0] + turn[1])
        lag.append(turn[1] - slept)
    figures = b.run("phasorPage.loopFigures")
    equal(figures["iterations"], len(turns))
    assert abs(figures["utilisation"] - (1 - sum(w[1] for w in waits) / span)) < 1e-9
    assert abs(figures["lag"]["worst"] - max(lag)) < 1
    callbacks = [row for row in trace.rows if row[2] == samples.CALLBACK]
    longest = max(row[1] for row in callbacks)
    equal(b.run("phasorPage.model.rows.duration[phasorPage.loopFigures.longest[0]]"), longest)
    equal(b.run("phasorPage.loopFigures.callbacks"), len(callbacks))
    works = [row for row in trace.rows if row[2] == samples.WORK]
    equal(b.run("phasorPage.requestFigures.worked.count"), len(works))


@test
def the_puzzle_shows_its_numbers(pages):
    b = pages.open("puzzle")
    equal(b.run("document.title"), "phasor puzzle.js · Phasor")
    contains(b.text("#sentences"), "The main loop turned 4 times in 1.42 ms")
    contains(b.text("#sentences"), "longest callback, onRead")
    contains(b.text("#turn-summary"), "Iteration 1 of 4")
    contains(b.text("#meta"), "52 events")
    equal(number(b), "1")


@test
def keys_step_through_the_iterations(pages):
    b = pages.open("puzzle")
    seen = []
    for key in ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"]:
        b.key(key)
        seen.append(number(b))
    equal(seen, ["2", "3", "4", "4", "3", "0", "4"])
    assert b.run("document.querySelector('#next').disabled")
    b.key("Home")
    contains(b.text("#turn-summary"), "Before the loop turned")
    assert b.run("document.querySelector('#previous').disabled")


@test
def buttons_and_slider_step_as_keys_do(pages):
    b = pages.open("puzzle")
    b.click("#next")
    equal(number(b), "2")
    b.click("#last")
    equal(number(b), "4")
    b.click("#previous")
    equal(number(b), "3")
    b.run("(() => { const s = document.querySelector('#scrub'); s.value = 1;"
          "s.dispatchEvent(new Event('input')); })()")
    equal(number(b), "2")


@test
def ticks_and_microtasks_stand_inside_their_callback(pages):
    b = pages.open("puzzle")
    equal(listed(b), ["onRead", "tick", "then", "then"])
    equal(b.run("[...document.querySelectorAll('#happened .what')].map(e => e.textContent)"),
          ["fs", "tick", "microtask", "microtask"])
    equal(b.run("[...document.querySelectorAll('#happened .entry')]"
                ".map(e => e.classList.contains('inner'))"), [False, True, True, True])


@test
def stepping_tells_the_puzzle_in_its_order(pages):
    b = pages.open("puzzle")
    order = []
    b.key("Home")
    for _ in range(5):
        order += [name for name in listed(b) if name in ("puzzle.js", "onRead", "immediate",
                                                         "timeout", "onClose")]
        b.key("ArrowRight")
    equal(order, ["puzzle.js", "onRead", "immediate", "timeout", "onClose"])


@test
def up_and_down_go_through_the_callbacks(pages):
    b = pages.open("puzzle")
    titles = []
    for _ in range(5):
        b.key("ArrowDown")
        titles.append((number(b), b.run("document.querySelector('#details strong')?.textContent")))
    equal(titles[0], ("1", "onRead (puzzle.js:3)"))
    equal(titles[1], ("1", "tick (puzzle.js:6)"))
    equal(titles[4], ("2", None))
    b.key("ArrowDown")
    equal(b.text("#details strong"), "immediate (puzzle.js:5)")


@test
def playing_turns_the_wheel_to_the_end(pages):
    b = pages.open("puzzle", still=False)
    b.run("document.querySelector('#speed').value = '10',"
          "document.querySelector('#speed').dispatchEvent(new Event('change'))")
    b.key("Home")
    b.key(" ")
    equal(b.text("#play"), "Pause")
    b.wait("document.querySelector('.dial-number').textContent === '4'")
    b.wait("document.querySelector('#play').textContent === 'Play'")
    equal(number(b), "4")
    equal(b.errors, [])


@test
def the_blocked_loop_is_named_and_one_click_away(pages):
    b = pages.open("server")
    contains(b.text("#sentences"), "The loop was blocked 183 ms at 3.239 s by the file callback "
                                   "parse_config (config.js:88); 4 timers were late because of it.")
    b.click("#sentences button")
    equal(b.text("#details strong"), "parse_config (config.js:88)")
    contains(listed(b), "parse_config")
    b.click("#longest li:nth-child(2) button")
    equal(b.text("#details strong"), "server.js")
    equal(number(b), "0")


@test
def a_late_timer_names_what_held_it_up(pages):
    b = pages.open("server")
    b.run("document.querySelector('#query').value = 'heartbeat', phasorPage.search.run()")
    b.run("(() => { const p = phasorPage; let worst = p.matches[0];"
          "for (const row of p.matches) if (p.model.rows.value[row] > p.model.rows.value[worst])"
          "  worst = row;"
          "p.select(worst); })()")
    contains(b.text("#details"), "late by174 ms")
    contains(b.text("#details"), "because ofparse_config (config.js:88)")


@test
def search_finds_and_goes_round(pages):
    b = pages.open("puzzle")
    b.key("/")
    for letter in "then":
        b.key(letter)
    b.wait("document.querySelector('#matches').textContent === '1 of 2'")
    equal(b.text("#details strong"), "then (puzzle.js:7)")
    b.key("Enter", "\r")
    equal(b.text("#matches"), "2 of 2")
    b.key("Enter", "\r")
    equal(b.text("#matches"), "1 of 2")
    b.key("Escape")
    equal(b.text("#matches"), "")
    for query, count in [("timer callback", 2), ("microtask", 4), ("#3", 3), ("iteration 3", 1),
                         ("check", 5), ("TIMEOUT", 1), ("nowhere", 0)]:
        b.run(f"document.querySelector('#query').value = {query!r}, phasorPage.search.run()")
        equal((query, b.run("phasorPage.matches.length")), (query, count))
    equal(b.text("#matches"), "nothing found")
    assert b.run("document.querySelector('#match-next').disabled")


@test
def n_and_shift_n_go_to_matches(pages):
    b = pages.open("server")
    b.run("document.querySelector('#query').value = 'onRequest', phasorPage.search.run()")
    contains(b.text("#matches"), "1 of ")
    b.key("n")
    contains(b.text("#matches"), "2 of ")
    b.key("N")
    b.key("N")
    count = b.run("phasorPage.matches.length")
    equal(b.text("#matches"), f"{count} of {count}")


def canvas_point(b, row, part=0.5):
    """Where a row is on the screen."""
    return b.run(f"""(() => {{
        const t = phasorPage.timeline, rows = phasorPage.model.rows, row = {row};
        t.canvas.scrollIntoView({{ block: 'center' }});
        const box = t.canvas.getBoundingClientRect(), line = t.lineOf(row);
        return [box.x + t.xOf(rows.start[row] + rows.duration[row] * {part}),
                box.y + 22 - t.top + line.y + line.height / 2];
    }})()""")


def view(b):
    return b.run("[phasorPage.view.from, phasorPage.view.to]")


@test
def the_wheel_zooms_and_dragging_moves(pages):
    b = pages.open("server")
    row = b.run("phasorPage.loopFigures.longest[0]")
    x, y = canvas_point(b, row)
    before = view(b)
    for _ in range(4):
        b.mouse("mouseWheel", x, y, deltaX=0, deltaY=-200)
    after = view(b)
    assert after[1] - after[0] < (before[1] - before[0]) / 3, after
    assert before[0] < after[0] and after[1] < before[1]
    # What was under the mouse stays under it.
    b.run("phasorPage.drawNow()")
    assert abs(canvas_point(b, row)[0] - x) < 2
    b.mouse("mousePressed", x, y, button="left", clickCount=1)
    b.mouse("mouseMoved", x + 60, y, button="left", buttons=1)
    b.mouse("mouseMoved", x + 120, y, button="left", buttons=1)
    b.mouse("mouseReleased", x + 120, y, button="left", clickCount=1)
    moved = view(b)
    assert moved[0] < after[0]
    assert abs((moved[1] - moved[0]) - (after[1] - after[0])) < 1
    equal(b.run("phasorPage.selected"), -1)


@test
def keys_zoom_move_and_show_all(pages):
    b = pages.open("server")
    whole = view(b)
    b.key("+")
    b.key("+")
    zoomed = view(b)
    assert abs((zoomed[1] - zoomed[0]) * 4 - (whole[1] - whole[0])) < 1
    b.key("d")
    assert view(b)[0] > zoomed[0]
    b.key("a")
    assert abs(view(b)[0] - zoomed[0]) < 1
    b.key("w")
    equal(number(b), "493")
    b.key("f")
    assert view(b)[1] - view(b)[0] < 300e6
    b.key("0")
    equal(view(b), whole)


@test
def hovering_tells_and_a_click_selects(pages):
    b = pages.open("server")
    row = b.run("phasorPage.loopFigures.longest[0]")
    x, y = canvas_point(b, row)
    b.mouse("mouseMoved", x, y)
    b.wait("!document.querySelector('#tip').hidden")
    contains(b.text("#tip"), "parse_config")
    for kind in ("mousePressed", "mouseReleased"):
        b.mouse(kind, x, y, button="left", clickCount=1)
    equal(b.run("phasorPage.selected"), row)
    equal(number(b), "493")
    contains(b.text("#details"), "took183 ms")


@test
def a_request_shows_its_whole_life(pages):
    b = pages.open("puzzle")
    b.run("phasorPage.select(phasorPage.model.requests.work[3])")
    for part in ("waited for a thread62.0 µs", "worked240 µs", "waited for the loop38.0 µs"):
        contains(b.text("#details"), part)


@test
def the_table_shows_what_is_visible(pages):
    b = pages.open("puzzle")
    b.key("v")
    names = b.run("[...document.querySelectorAll('#table td button')].map(e => e.textContent)")
    contains(names, "onRead (puzzle.js:3)")
    contains(names, "timeout (puzzle.js:4)")
    b.click("#table tbody tr:nth-child(2) button")
    assert b.run("phasorPage.selected") >= 0
    b.run("phasorPage.step(3), phasorPage.showTurn(), phasorPage.table.refresh()")
    names = b.run("[...document.querySelectorAll('#table td button')].map(e => e.textContent)")
    contains(names, "timeout (puzzle.js:4)")
    assert "onRead (puzzle.js:3)" not in names
    b.run("document.activeElement.blur()")
    b.key("v")
    assert b.run("document.querySelector('#table').hidden")


@test
def the_accessibility_tree_has_the_landmarks(pages):
    b = pages.open("server")
    b.key("v")
    nodes = b.send("Accessibility.getFullAXTree")["nodes"]
    found = {(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes
             if not n.get("ignored")}
    roles = {role for role, _ in found}
    for role in ("banner", "main", "search", "contentinfo", "table", "slider", "searchbox"):
        contains(roles, role)
    for wanted in [("region", "In short"), ("region", "One turn of the loop"), ("region", "Lag"),
                   ("region", "Timeline"), ("region", "Longest callbacks"),
                   ("heading", "Time per phase"), ("button", "Next iteration"),
                   ("columnheader", "Took"), ("button", "Help and keys")]:
        contains(found, wanted)
    for role, name in found:
        if role in ("button", "combobox", "searchbox", "slider", "image"):
            assert name, f"a {role} has no name"
    equal(b.run("document.querySelector('#turn-summary').getAttribute('aria-live')"), "polite")


@test
def dark_and_light_follow_the_system_and_the_button(pages):
    shade = "getComputedStyle(document.body).backgroundColor"
    b = pages.open("puzzle", dark=True)
    dark = b.run(shade)
    b = pages.open("puzzle")
    light = b.run(shade)
    assert dark != light
    b.key("t")
    equal(b.run(shade), dark)
    b.click("#theme")
    equal(b.run(shade), light)
    b.run("localStorage.clear()")


@test
def the_help_opens_and_closes_by_keys(pages):
    b = pages.open("puzzle")
    b.key("?")
    assert b.run("document.querySelector('#help').open")
    contains(b.text("#help-keys"), "play or pause")
    b.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": "Escape",
                                      "windowsVirtualKeyCode": 27})
    b.wait("!document.querySelector('#help').open")


@test
def a_narrow_window_needs_no_sideways_scrolling(pages):
    for name in SMALL:
        b = pages.open(name, width=380, height=700)
        equal((name, b.run("document.documentElement.scrollWidth")), (name, 380))


@test
def small_traces_have_something_to_say(pages):
    b = pages.open("single")
    contains(b.text("#sentences"), "turned once")
    equal(number(b), "1")
    contains(b.text("#waiting"), "no work went to the pool")
    b = pages.open("empty")
    contains(b.text("#sentences"), "did not turn")
    contains(b.text("#turn-summary"), "No iteration was recorded")
    contains(b.text("#longest"), "No callback was recorded")
    for key in ["ArrowRight", "ArrowDown", " ", "w", "f", "+", "0", "n", "v", "l", "Home", "End"]:
        b.key(key)
    equal(b.errors, [])


@test
def several_loops_and_lost_events_are_shown(pages):
    b = pages.open("lossy")
    contains(b.text("#sentences"), "5,120 events were lost")
    contains(b.text("#sentences"), "The oldest 12 s were overwritten")
    equal(b.run("document.querySelectorAll('#loop option').length"), 2)
    b.key("l")
    contains(b.text("#sentences"), "The worker 1 loop turned 100 times")
    equal(number(b), "2")


@test
def text_of_the_program_is_only_text(pages):
    b = pages.open("lossy")
    equal(b.text("#title"), "./</script><b>odd & \u0163ame")
    equal(b.run("document.querySelectorAll('b').length"), 0)


@test
def an_address_opens_at_an_iteration(pages):
    pages.trace("server")
    b = pages.open("server")
    b.send("Page.navigate", {"url": "about:blank"})
    b.send("Page.navigate", {"url": pages.path("server").resolve().as_uri() + "#iteration=493"})
    b.wait("document.body?.dataset.ready === 'true'")
    equal(number(b), "493")


@test
def rows_in_any_order_make_the_same_page(pages):
    b = pages.open("puzzle")
    wanted = b.run("[document.querySelector('main').innerText, phasorPage.model.end]")
    text = pages.path("puzzle").read_text(encoding="utf-8")
    begin = '<script type="text/plain" class="trace-rows">'
    at = text.index(begin) + len(begin)
    end = text.index("</script>", at)
    data = base64.b64decode(text[at:end])
    size = samples.ROW.size
    rows = [data[i:i + size] for i in range(0, len(data), size)][::-1]
    blocks = [base64.b64encode(b"".join(part)).decode() for part in (rows[:20], rows[20:])]
    path = pages.path("reversed")
    path.write_text(text[:at] + f"</script>\n{begin}".join(blocks) + text[end:], encoding="utf-8")
    b.open(path)
    equal(b.run("[document.querySelector('main').innerText, phasorPage.model.end]"), wanted)


@test
def unreadable_data_is_explained(pages):
    marker = 'class="trace-rows">'
    contains(pages.changed("puzzle", lambda t: t.replace('"version": 1', '"version": 2')),
             "version 1, the data has 2")
    contains(pages.changed("puzzle", lambda t: t.replace(marker, marker + "AAAA")), "cut off")
    contains(pages.changed("puzzle", lambda t: t.replace(marker, marker + "%%%%")), "can't be read")
    contains(pages.changed("puzzle", lambda t: t.replace('"tracks"', '"trucks"')), "names a track")
    contains(pages.changed("puzzle", lambda t: t.replace('json" id="trace-head">{',
                                                         'json" id="trace-head">{{')),
             "can't be read")
    contains(pages.changed("puzzle", lambda t: build.template()), "There is no trace")


@test
def unknown_kinds_of_rows_are_ignored(pages):
    trace = samples.puzzle()
    trace.rows.append((100.0, 50.0, 77, 9, 0, 0, 0, 0))
    trace.rows.append((200.0, 50.0, samples.PHASE, 99, 0, 0, 4000000000, -1))
    trace.write(pages.path("unknown"))
    b = pages.browser
    b.open(pages.path("unknown"))
    equal(b.errors, [])
    contains(b.text("#sentences"), "turned 4 times")


CONTRAST = """(() => {
    const parse = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
    const light = (c) => { const [r, g, b] = c.map((v) => {
        v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const over = (top, below) => { const a = top.length > 3 ? top[3] : 1;
        return [0, 1, 2].map((i) => top[i] * a + below[i] * (1 - a)); };
    const background = (e) => { const layers = [];
        for (; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]); };
    const poor = [];
    for (const e of document.querySelectorAll('body *')) {
        const text = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join('');
        const style = getComputedStyle(e);
        if (!text.trim() || !e.checkVisibility?.() || e.closest('svg, script, style, :disabled'))
            continue;
        const below = background(e), colour = over(parse(style.color), below);
        const [a, b] = [light(colour), light(below)].sort((x, y) => y - x);
        const large = parseFloat(style.fontSize) >= 24 ||
            (parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 700);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < (large ? 3 : 4.5))
            poor.push(`${e.tagName} ${e.id || e.className} "${text.trim().slice(0, 20)}" ${ratio}`);
    }
    return poor;
})()"""


@test
def text_has_contrast_in_dark_and_light(pages):
    for dark in (False, True):
        b = pages.open("server", dark=dark)
        b.key("w")
        b.key("v")
        equal(b.run(CONTRAST), [])


@test
def the_tab_key_reaches_every_control(pages):
    b = pages.open("puzzle")
    wanted = b.run("""[...document.querySelectorAll('button, input, select, a[href], [tabindex]')]
        .filter((e) => e.checkVisibility() && !e.disabled && e.tabIndex >= 0).length""")
    b.run("document.body.focus(), document.addEventListener('focusin', (e) => {"
          "  (window.reached ??= new Set()).add(e.target);"
          "  if (getComputedStyle(e.target).outlineStyle === 'none')"
          "    window.unseen = e.target.id; })")
    for _ in range(2 * wanted + 10):
        b.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "Tab", "code": "Tab",
                                          "windowsVirtualKeyCode": 9})
        b.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": "Tab", "code": "Tab",
                                          "windowsVirtualKeyCode": 9})
    equal(b.run("window.reached.size"), wanted)
    equal(b.run("window.unseen"), None)


@test
def pictures_show_both_schemes(pages):
    sizes = set()
    folder = pages.folder / "pictures"
    take_pictures(pages, folder)
    pictures = sorted(folder.glob("*.png"))
    equal(len(pictures), len(PICTURES))
    for picture in pictures:
        data = picture.read_bytes()
        contains(data[:8], b"PNG")
        assert len(data) > 20000, f"{picture.name} is nearly empty"
        sizes.add(len(data))
    equal(len(sizes), len(PICTURES))
    for dark in (False, True):
        b = pages.open("server", dark=dark)
        colours = b.run("""(() => { const c = phasorPage.timeline.canvas, seen = new Set();
            const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
            for (let i = 0; i < data.length; i += 4)
                seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
            return seen.size; })()""")
        assert colours > 10, f"the timeline has {colours} colours"


PICTURES = [("puzzle", 1280, False), ("puzzle", 1280, True), ("server", 1280, False),
            ("server", 1280, True), ("server", 420, False)]


def take_pictures(pages, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, width, dark in PICTURES:
        b = pages.open(name, width=width, dark=dark)
        b.key("w")
        b.key("0")
        b.key("ArrowDown")
        b.run("new Promise(done => setTimeout(done, 400))")
        b.screenshot(folder / f"{name}-{width}-{'dark' if dark else 'light'}.png")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if not chromium.program():
        print("Chromium is not installed")
        sys.exit(77)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, chromium.Browser() as browser:
        pages = Pages(folder, browser)
        for function in TESTS:
            if arguments.names and function.__name__ not in arguments.names:
                continue
            try:
                function(pages)
                print(f"ok    {function.__name__}", flush=True)
            except (AssertionError, RuntimeError):
                failed += 1
                print(f"FAIL  {function.__name__}\n{traceback.format_exc()}", flush=True)
        if arguments.pictures:
            take_pictures(pages, arguments.pictures)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
