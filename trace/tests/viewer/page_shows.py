"""What the timeline and the parts around it show: ranges, blocks, shades, stacks, several loops."""

from pages import (canvas_point, colour, colours_at, contains, drawn, equal, line, number, samples,
                   test, view)


def open_at(b, path, address):
    b.send("Page.navigate", {"url": "about:blank"})
    b.send("Page.navigate", {"url": path.resolve().as_uri() + address})
    b.wait("document.body?.dataset.ready === 'true'")


def x_of(b, time):
    return b.run(f"Math.round(phasorPage.timeline.xOf({time}))")


@test
def it_opens_on_the_worst_turn_of_the_worst_loop(pages):
    b = pages.open("server")
    equal(number(b), "493")
    first, last = view(b)
    block = b.run("phasorPage.loopFigures.longest[0]")
    start = b.run(f"phasorPage.model.rows.start[{block}]")
    assert first < start < last and last - first < 1.2e9, (first, last)
    trace = pages.trace("lossy")
    trace.track = 1
    trace.now += 1e6
    trace.iteration({0: lambda: trace.callback("timer", "slow", 30e6)})
    b = pages.made(trace)
    equal(b.run("phasorPage.track.index"), 1)
    contains(b.text("#happened"), "slow")
    del pages.traces["lossy"]


@test
def dragging_chooses_a_range_with_figures_and_a_link(pages):
    b = pages.open("server")
    x, y = canvas_point(b, b.run("phasorPage.loopFigures.longest[0]"), 0)
    b.drag(x - 40, y, x + 200, y)
    contains(b.text("#details"), "chosen")
    contains(b.text("#range-table"), "main loop")
    contains(b.text("#range-table"), "parse_config")
    contains(b.text("#details"), "late timers")
    contains(b.text("#functions-scope"), "in the chosen")
    address = b.run("location.hash")
    contains(address, "#range=")
    chosen = b.run("[phasorPage.range.from, phasorPage.range.to]")
    text = b.text("#details")
    open_at(b, pages.path("server"), address)
    found = b.run("[phasorPage.range.from, phasorPage.range.to]")
    assert all(abs(one - other) < 1 for one, other in zip(found, chosen)), (found, chosen)
    equal(b.text("#details").split("chosen")[0], text.split("chosen")[0])
    assert view(b)[0] < found[0] and found[1] < view(b)[1]
    b.key("Escape")
    equal(b.run("[phasorPage.range, location.hash]"), [None, ""])
    contains(b.text("#functions-scope"), "whole recording")


@test
def a_range_counts_only_what_lies_in_it(pages):
    b = pages.open("puzzle")
    row = b.run("(m => m.rows.kind.findIndex((k, i) => k === 4 && m.iterationOf[i] === 0))"
                "(phasorPage.model)")
    start = b.run(f"phasorPage.model.rows.start[{row}]")
    b.run(f"phasorPage.setRange({start} + 20e3, {start} + 40e3)")
    equal(b.run("[...document.querySelectorAll('#range-table tbody td')].map(e => e.textContent)"),
          ["1", "100 %", "20.0 µs", "1", "onRead, 20.0 µs"])
    equal(b.run("document.querySelectorAll('#functions tbody tr').length"), 1)


@test
def r_makes_a_range_of_the_selection(pages):
    b = pages.open("puzzle")
    b.key("ArrowDown")
    b.key("r")
    contains(b.text("#details"), "chosen")
    took = b.run("phasorPage.model.rows.duration[phasorPage.selected]")
    equal(b.run("Math.round(phasorPage.range.to - phasorPage.range.from)"), round(took))


@test
def a_block_shows_at_any_zoom(pages):
    for name, where in (("minute", 17), ("server", 3)):
        b = pages.open(name)
        b.key("0")
        top, height = line(b, "callbacks")
        x = x_of(b, b.run("phasorPage.model.rows.start[phasorPage.loopFigures.longest[0]]"))
        shown = colours_at(b, "timeline", x - 1, top + height // 2, 4)
        contains(shown, colour(b, "heat-burning"))
        x = x_of(b, (where - 1) * 1e9)
        assert colour(b, "heat-burning") not in colours_at(b, "timeline", x, top + height // 2, 4)


@test
def colours_can_be_those_of_the_phases(pages):
    b = pages.open("server")
    top, height = line(b, "callbacks")
    x = x_of(b, b.run("phasorPage.model.rows.start[phasorPage.loopFigures.longest[0]] + 150e6"))
    contains(colours_at(b, "timeline", x, top + height - 4), colour(b, "heat-burning"))
    b.key("c")
    contains(colours_at(b, "timeline", x, top + height - 4), colour(b, "phase-poll"))
    equal(b.text("#colour"), "By phase")


@test
def the_lag_chart_has_the_axis_of_the_timeline_and_a_rule_at_10_ms(pages):
    b = pages.open("server")
    contains(drawn(b, "lag"), "10.0 ms".replace(".0", ""))
    left = b.run("phasorPage.timeline.left")
    height = b.run("phasorPage.lag.canvas.clientHeight")
    rule = b.run("Math.round(phasorPage.lag.base - phasorPage.lag.rise(10e6)) - 1")
    contains(colours_at(b, "lag", left, rule, 40), colour(b, "rule"))
    start, took = b.run("(r => [phasorPage.model.rows.start[r], phasorPage.model.rows.duration[r]])"
                        "(phasorPage.loopFigures.longest[0])")
    middle = x_of(b, start + took / 2)
    equal(colours_at(b, "lag", middle, height - 10), [colour(b, "heat-burning")])
    assert colour(b, "heat-burning") not in colours_at(b, "lag", x_of(b, start) - 12, 0, 8, height)


@test
def bars_have_shades_for_processor_and_waiting(pages):
    b = pages.open("cluster")
    row = b.run("phasorPage.loopFigures.longest[0]")
    contains(b.run(f"phasorPage.model.head.strings[phasorPage.model.rows.name[{row}]]"), "dispatch")
    top, height = line(b, "callbacks")
    start, took = b.run(f"(r => [r.start[{row}], r.duration[{row}]])(phasorPage.model.rows)")
    x = x_of(b, start + took * 0.9)
    # 58 of 62 ms were spent waiting: what ran itself is not a block, and only the bottom is full.
    full = colours_at(b, "timeline", x, top + height - 1)
    equal(full, [colour(b, "heat-warm")])
    above = colours_at(b, "timeline", x, top + 2, 6, height - 8)
    assert colour(b, "heat-warm") not in above and len(above) > 1, above
    b.run(f"phasorPage.select({row})")
    contains(b.text("#details"), "on a processor3.10 ms")
    contains(b.text("#details"), "waited for one58.2 ms")
    contains(b.text("#legend"), "waiting for a processor")


@test
def time_outside_of_the_loop_is_a_span_of_its_own(pages):
    b = pages.open("cluster")
    contains(drawn(b), "outside")
    b.click("#sentences li:nth-child(2) button")
    b.wait("phasorPage.model.rows.kind[phasorPage.selected] === 14")
    contains(b.text("#details"), "outside of the loop")
    contains(b.text("#details"), "took24.0 ms")
    contains(b.text("#phase-times"), "24.0 ms outside of the loop")
    b.key("w")
    equal(b.run("phasorPage.model.rows.kind[phasorPage.selected]"), 14)


@test
def marks_and_measures_stand_on_the_timeline(pages):
    b = pages.open("cluster")
    texts = drawn(b)
    for wanted in ("measures", "resize image", "\u25c6"):
        contains(texts, wanted)
    x, y = canvas_point(b, b.run("phasorPage.track.measures.ref[0]"))
    b.mouse("mouseMoved", x, y)
    b.wait("!document.querySelector('#tip').hidden")
    contains(b.text("#tip"), "resize image")
    contains(b.text("#tip"), "measure")


@test
def measures_inside_others_have_rows_of_their_own(pages):
    trace = samples.puzzle()
    trace.row(samples.MARK, 100e3, 900e3, 1, "outer")
    trace.row(samples.MARK, 300e3, 400e3, 2, "inner")
    b = pages.made(trace)
    texts = drawn(b)
    contains(texts, "outer")
    contains(texts, "inner")
    places = b.run("[...phasorPage.track.measures.ref].map(r => phasorPage.timeline.lineOf(r).y)")
    assert places[0] < places[1], places


@test
def several_processes_have_names_ids_and_ends(pages):
    b = pages.open("cluster", height=1600)
    b.run("phasorPage.timeline.canvas.style.height = '900px'")
    texts = drawn(b)
    for wanted in ("node cluster.js", "pid 4121, left with status 0", "node resize.js",
                   "pid 4130, child of 4121, ended by SIGTERM", "worker, thread 4127",
                   "node, thread 4130"):
        contains(texts, wanted)
    loops = b.run("[...document.querySelectorAll('#loops tbody th')].map(e => e.textContent)")
    equal(loops, ["main loop \u00b7 4121", "loop 2 \u00b7 4121", "main loop \u00b7 4130"])
    contains(b.text("#sentences"), "of process 4130 was blocked 41 ms")
    b.click("#loops tr:nth-child(3) button")
    equal(b.run("phasorPage.track.index"), 2)
    contains(b.text("#happened"), "resize")


@test
def request_rows_say_what_they_are(pages):
    b = pages.open("server")
    b.run("phasorPage.timeline.canvas.style.height = '700px'")
    contains(drawn(b), "fs")
    b.run("phasorPage.showRow(phasorPage.model.requests.submit[40])")
    b.run("phasorPage.view.span(phasorPage.model.requestLanes[0].lane.start[3],"
          "phasorPage.model.requestLanes[0].lane.end[3])")
    contains(drawn(b), "fs.readFile")


@test
def arrows_lead_from_a_send_to_the_loop_it_wakes(pages):
    b = pages.open("cluster")
    curves = """(() => {
        const c = phasorPage.timeline.canvas.getContext('2d'), seen = [];
        const plain = c.bezierCurveTo;
        c.bezierCurveTo = function (...points) { seen.push([points[4], points[5]]);
            plain.apply(this, points); };
        phasorPage.drawNow();
        delete c.bezierCurveTo;
        return seen; })()"""
    worker = b.run("phasorPage.model.tracks[1].callbacks[0].start[0]")
    x = b.run(f"phasorPage.timeline.xOf({worker})")
    top, _ = line(b, "callbacks", 1)
    y = top - 22 + b.run("phasorPage.timeline.top")
    ends = b.run(curves)
    assert any(abs(ex - x) < 1 and abs(ey - y) < 1 for ex, ey in ends), (x, y, ends)


@test
def the_functions_can_be_sorted(pages):
    b = pages.open("server")
    b.click("#functions > button")
    names = ("[...document.querySelectorAll('#functions tbody tr')]"
             ".map(e => e.querySelector('th button, th span').textContent)")
    first = b.run(names)
    b.click("#functions [data-sort=worst]")
    equal(b.run("document.querySelector('#functions [aria-sort]').textContent"), "Worst \u2193")
    equal(b.run(names)[0], "parse_config")
    b.click("#functions [data-sort=calls]")
    calls = b.run("[...document.querySelectorAll('#functions tbody tr td:nth-child(2)')]"
                  ".map(e => Number(e.textContent))")
    equal(calls, sorted(calls, reverse=True))
    b.click("#functions [data-sort=calls]")
    calls = b.run("[...document.querySelectorAll('#functions tbody tr td:nth-child(2)')]"
                  ".map(e => Number(e.textContent))")
    equal(calls, sorted(calls))
    b.click("#functions [data-sort=name]")
    names_now = b.run(names)
    equal(names_now, sorted(names_now, key=str.lower))
    equal(sorted(names_now), sorted(first))
    b.click("#functions tbody button")
    assert b.run("phasorPage.selected") >= 0


@test
def a_block_has_a_flame_graph(pages):
    b = pages.open("server")
    assert not b.run("document.querySelector('#flame-card').hidden")
    contains(b.text("#flame-scope"), "iteration 493: 18 stacks, 180 ms")
    boxes = b.run("[...document.querySelectorAll('#flame button')].map(e => [e.textContent,"
                  "e.getBoundingClientRect().width])")
    equal(boxes[0][0], "parse_config")
    names = [name for name, _ in boxes]
    for wanted in ("readSections", "JSON.parse", "validate", "expand"):
        contains(names, wanted)
    whole = boxes[0][1]
    b.click("#flame button:nth-child(2)")
    equal(b.run("document.querySelector('#flame button').textContent"), names[1])
    assert abs(b.run("document.querySelector('#flame button').getBoundingClientRect().width")
               - whole) < 1
    b.click("#flame-whole")
    equal(b.run("document.querySelector('#flame button').textContent"), "parse_config")
    b.run("phasorPage.setRange(3.3e9, 3.34e9)")
    contains(b.text("#flame-scope"), "the chosen 40.0 ms: 4 stacks")
    b.run("phasorPage.setRange(1e9, 1.1e9)")
    assert b.run("document.querySelector('#flame-card').hidden")
    assert pages.open("puzzle").run("document.querySelector('#flame-card').hidden")


@test
def a_long_recording_shows_its_seconds_and_the_reports_figures(pages):
    trace = pages.trace("minute")
    b = pages.open("minute")
    turns = trace.head["figures"]["loops"][0]["iterations"]
    contains(b.text("#figures"), f"{turns:,}")
    contains(b.text("#sentences"), f"turned {turns:,} times in 60.0 s")
    contains(b.text("#functions"), f"{turns:,}")
    b.run("phasorPage.view.set(20e9, 23e9)")
    texts = drawn(b)
    own = trace.head["seconds"]["tracks"][0]
    contains(texts, f"{own['turns'][21]:,} turns, {own['busy'][21] / 1e7:.0f} % busy")
    b.run("phasorPage.timeline.canvas.scrollIntoView({ block: 'center' })")
    box = b.run("(r => [r.x, r.y])(phasorPage.timeline.canvas.getBoundingClientRect())")
    b.mouse("mouseMoved", box[0] + x_of(b, 21.5e9), box[1] + line(b, "callbacks")[0] + 4)
    b.wait("!document.querySelector('#tip').hidden")
    contains(b.text("#tip"), "worst lag")
    b.click("#sentences button")
    contains(b.text("#details"), "took240 ms")


@test
def it_is_of_use_at_900_by_600(pages):
    for name in ("server", "cluster", "minute"):
        b = pages.open(name, width=900, height=600)
        equal(b.run("document.documentElement.scrollWidth"), 900)
        boxes = b.run("""Object.fromEntries(
            ['#sentences button', '#wheel', '#play', '#lag', '#timeline']
                .map((s) => [s, document.querySelector(s).getBoundingClientRect()])
                .map(([s, r]) => [s, [r.left, r.top, r.right, r.bottom]]))""")
        for selector, (left, top, right, bottom) in boxes.items():
            assert left >= 0 and right <= 900 and top >= 0, (name, selector, left, top, right)
            limit = 600 if selector != "#timeline" else 1000
            assert bottom <= limit, (name, selector, bottom)
        top, height = line(b, "callbacks")
        assert boxes["#timeline"][1] + top + height <= 600, (name, boxes["#timeline"], top)
        over = b.run("""[...document.querySelectorAll('.card')].flatMap((card) => {
            const edge = card.getBoundingClientRect();
            return [...card.querySelectorAll('button, select, canvas')]
                .filter((e) => e.checkVisibility() && !e.closest('.scroll, .flame, .happened'))
                .filter((e) => e.getBoundingClientRect().right > edge.right + 0.5)
                .map((e) => e.id || e.textContent); })""")
        equal(over, [])


@test
def recordings_of_several_processes_become_one(pages):
    first, second = samples.server(), samples.puzzle()
    first.head["clock"], second.head["clock"] = 5e9, 6e9
    first.head["startedAt"], second.head["startedAt"] = 1000000, 1001000
    second.head["processes"][0].update(pid=4200, parent=4121)
    second.head["sentences"] = [{"about": "blocked", "track": 0, "start": 40e3,
                                 "text": "The loop was blocked at 0.000 s by puzzle.js."}]
    second.sample(100e3, second.stack("outer", "inner"), 1e6, 0)
    second.row(samples.WAKE, 50e3, value=0, track=1)
    path = pages.path("made")
    second.write(path, first)
    b = pages.browser
    b.size(1280, 800, False, True)
    b.open(path)
    equal(b.errors, [])
    contains(b.text("#meta"), "2 processes")
    # The second recording began a second later; what it names is its own.
    contains(b.text("#sentences"), "puzzle.js: The loop was blocked at 1.000 s by puzzle.js.")
    x = b.run("(m => { const t = m.tracks[0].callbacks[0]; return [t.start[0],"
              "m.head.strings[m.rows.name[t.ref[0]]], m.tracks[0].process] })(phasorPage.model)")
    equal(x, [1e9 + 40e3, "puzzle.js", 0])
    equal(b.run("phasorPage.model.tracks.slice(2).map(t => t.process)"), [1] * 5)
    wake = b.run("(m => { const r = m.rows.kind.indexOf(9); return [m.rows.start[r],"
                 "m.rows.track[r], m.rows.value[r]] })(phasorPage.model)")
    equal(wake, [1e9 + 50e3, 1, 0])
    whole = b.run("[phasorPage.model.requests.count, phasorPage.model.end]")
    equal(whole, [251, first.head["duration"]])
    b.click("#sentences button")
    contains(b.text("#details"), "puzzle.js")
    contains(b.text("#flame-scope"), "1 stack")
    contains(b.text("#flame"), "inner")


@test
def a_page_may_be_about_a_part_of_a_recording(pages):
    trace = samples.server()
    trace.head["from"], trace.head["to"] = 3e9, 4e9
    trace.rows = [row for row in trace.rows if 3e9 <= row[0] <= 4e9]
    b = pages.made(trace)
    b.key("0")
    equal(view(b), [3e9, 4e9])
    contains(b.text("#view-range"), "3.000 s to 4.000 s (1.00 s)")
    contains(b.text("#meta"), "1.00 s")


@test
def sentences_of_processes_of_one_program_say_which(pages):
    first, second = samples.puzzle(), samples.puzzle()
    second.head["processes"][0].update(pid=4200)
    for trace in (first, second):
        trace.head["sentences"] = [{"about": "loop", "text": text} for text in ("One.", "Two.")]
    path = pages.path("made")
    first.write(path, second)
    b = pages.browser
    b.size(1280, 800, False, True)
    b.open(path)
    places = [b.text("#sentences").index(f"({pid}): One.") for pid in (4121, 4200)]
    equal(places, sorted(places))
    b.click("#sentences > li:last-child button")
    assert b.text("#sentences").index("(4121): Two.") > places[1]


@test
def a_stack_near_the_end_does_not_make_the_recording_longer(pages):
    trace = samples.Trace("short", [("loop", "main loop")])
    trace.iteration({samples.TIMERS: lambda: [trace.callback("timer", "long", 50e6)]})
    trace.sample(49e6, trace.stack("long"), 45e6)
    b = pages.made(trace)
    contains(b.text("#meta"), "50.0 ms")
    assert b.run("phasorPage.model.end") < 51e6
