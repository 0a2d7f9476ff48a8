"""How the page looks, to eyes and to a screen reader."""

from pages import SMALL, contains, equal, samples, test

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
def every_sample_loads_without_errors_or_network(pages):
    for name in SMALL:
        for dark in (False, True):
            b = pages.open(name, dark=dark)
            equal(b.errors, [])
            equal(b.requests, [pages.path(name).resolve().as_uri()])


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
    for wanted in [("region", "In short"), ("region", "One turn of the loop"),
                   ("region", "Flame graph"), ("region", "Timeline"), ("region", "By function"),
                   ("region", "Longest callbacks"), ("heading", "Time per phase"),
                   ("button", "Next iteration"), ("columnheader", "Took"),
                   ("button", "Help and keys")]:
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
def a_narrow_window_needs_no_sideways_scrolling(pages):
    for name in SMALL:
        b = pages.open(name, width=380, height=700)
        equal((name, b.run("document.documentElement.scrollWidth")), (name, 380))


def with_names(names):
    """A trace with callbacks of these names, 1 ms each."""
    trace = samples.Trace("names", [("loop", "main loop")])
    trace.iteration({samples.TIMERS: lambda: [trace.callback("timer", n, 1e6) for n in names]})
    return trace


@test
def long_names_leave_the_rest_its_place(pages):
    for width in (380, 1280):
        b = pages.made(with_names(["a_name_without_end" * 20]), width)
        equal(b.run("document.documentElement.scrollWidth"), width)
        boxes = b.run("['#sentences button', '#figures'].map((s) => {"
                      "  const b = document.querySelector(s).getBoundingClientRect();"
                      "  return [b.right, b.bottom, b.left, b.top]; })")
        assert boxes[0][0] <= boxes[1][2] or boxes[0][1] <= boxes[1][3], boxes
        b.key("ArrowDown")
        wide = b.run("['#turn-summary', '#details'].filter((s) => {"
                     "  const e = document.querySelector(s);"
                     "  return e.scrollWidth > e.clientWidth; })")
        equal(wide, [])


@test
def a_small_window_cuts_no_short_title_and_no_name_without_a_sign(pages):
    b = pages.open("server", width=900, height=600)
    equal(b.run("(({ scrollWidth: all, clientWidth: seen }) => all <= seen)"
                "(document.querySelector('#title'))"), True)
    b = pages.made(with_names(["node::MakeLibuvRequestCallback<uv_getaddrinfo_s>" * 2]), 900)
    equal(b.run("""[...document.querySelectorAll('.functions th[scope=row] > *')].filter((e) =>
        e.getBoundingClientRect().right > e.parentElement.getBoundingClientRect().right + 1 ||
        getComputedStyle(e).textOverflow !== 'ellipsis').map((e) => e.textContent)"""), [])


@test
def names_of_requests_that_overlap_do_not(pages):
    trace = samples.Trace("requests", [("loop", "main loop"), ("pool", "pool 1")])
    for number in range(12):
        request = trace.subject()
        trace.row(samples.SUBMIT, number * 2e6, 0, "fs", "a_name", request)
        trace.row(samples.CALLBACK, 90e6 + number * 1e6, 1e5, "fs", "a_name", request)
    b = pages.made(trace)
    drawn = b.run("""(() => {
        const { context } = phasorPage.timeline, plain = context.fillText.bind(context), all = [];
        context.fillText = (text, x, y) => {
            if (/^a_/.test(text)) all.push([y, x, x + context.measureText(text).width]);
            plain(text, x, y);
        };
        phasorPage.drawNow();
        delete context.fillText;
        return all;
    })()""")
    assert drawn, "no names"
    for one in drawn:
        for other in drawn:
            assert one is other or one[0] != other[0] or one[2] <= other[1] or one[1] >= other[2], (
                one, other)


@test
def names_stay_inside_their_spans(pages):
    names = ["\u8aad\u307f\u8fbc\u307f\u304c\u5b8c\u4e86" * 4, "\U0001f642" * 30, "plain" * 9]
    b = pages.made(with_names(names * 4))
    widest = b.run("""(() => {
        const t = phasorPage.timeline, lane = phasorPage.track.callbacks[0], over = [];
        const plain = t.context.fillText.bind(t.context);
        t.context.fillText = (text, x, y) => {
            const at = lane.near(t.timeAt(x), 0);
            if (/\u2026$/.test(text) && at >= 0)
                over.push(x + t.context.measureText(text).width - t.xOf(lane.end[at]));
            plain(text, x, y);
        };
        phasorPage.drawNow();
        delete t.context.fillText;
        return [over.length, Math.max(...over)];
    })()""")
    assert widest[0] >= 12 and widest[1] <= 0, widest


@test
def text_has_contrast_in_dark_and_light(pages):
    for dark in (False, True):
        for name in ("server", "cluster"):
            b = pages.open(name, dark=dark)
            b.key("w")
            b.key("v")
            b.key("r")
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


PICTURES = [(name, width, height, dark) for name in ("server", "cluster", "minute")
            for width, height in ((1280, 800), (900, 600)) for dark in (False, True)]
PICTURES += [("puzzle", 1280, 800, False), ("server", 420, 800, False)]


def take_pictures(pages, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, width, height, dark in PICTURES:
        b = pages.open(name, width=width, height=height, dark=dark)
        if name == "minute":
            b.key("0")
        b.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        b.screenshot(folder / f"{name}-{width}-{'dark' if dark else 'light'}.png")
