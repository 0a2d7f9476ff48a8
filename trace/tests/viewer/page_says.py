"""What the page says about a recording, and about data that it can't read."""

import base64

from pages import build, contains, equal, listed, number, samples, search, test


@test
def figures_are_those_of_the_rows(pages):
    trace = pages.trace("server")
    b = pages.open("server")
    turns = [row for row in trace.rows if row[2] == samples.ITERATION]
    waits = [row for row in trace.rows if row[2] == samples.WAIT]
    time = sum(turn[1] for turn in turns)
    lag = []
    for turn in turns:
        slept = sum(w[1] for w in waits if turn[0] <= w[0] <= turn[0] + turn[1])
        lag.append(turn[1] - slept)
    figures = b.run("phasorPage.loopFigures")
    equal(figures["iterations"], len(turns))
    assert abs(figures["utilisation"] - (1 - sum(w[1] for w in waits) / time)) < 1e-9
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
def ticks_and_microtasks_stand_inside_their_callback(pages):
    b = pages.open("puzzle")
    equal(listed(b), ["onRead", "tick", "then", "then"])
    equal(b.run("[...document.querySelectorAll('#happened .what')].map(e => e.textContent)"),
          ["fs", "tick", "microtask", "microtask"])
    equal(b.run("[...document.querySelectorAll('#happened .entry')]"
                ".map(e => e.classList.contains('inner'))"), [False, True, True, True])


@test
def the_blocked_loop_is_named_and_one_click_away(pages):
    b = pages.open("server")
    contains(b.text("#sentences"), "The loop was blocked 183 ms at 3.239 s by the file callback "
                                   "parse_config (config.js:88); 4 timers were late because of it.")
    equal(b.run("[...document.querySelectorAll('#sentences strong')].map(e => e.textContent)"),
          ["183 ms", "parse_config (config.js:88)"])
    b.click("#sentences button")
    equal(b.text("#details strong"), "parse_config (config.js:88)")
    # It fills the timeline, and the address leads there.
    contains(b.run("location.hash"), "#range=")
    b.wait("phasorPage.view.to - phasorPage.view.from"
           " < 2 * phasorPage.model.rows.duration[phasorPage.selected]")
    contains(listed(b), "parse_config")
    b.click("#longest li:nth-child(2) button")
    equal(b.text("#details strong"), "server.js")
    equal(number(b), "0")


@test
def a_late_timer_names_what_held_it_up(pages):
    b = pages.open("server")
    search(b, "heartbeat")
    b.run("(() => { const p = phasorPage; let worst = p.matches[0];"
          "for (const row of p.matches) if (p.model.rows.value[row] > p.model.rows.value[worst])"
          "  worst = row;"
          "p.select(worst); })()")
    contains(b.text("#details"), "late by174 ms")
    contains(b.text("#details"), "because ofparse_config (config.js:88)")


@test
def a_request_shows_its_whole_life(pages):
    b = pages.open("puzzle")
    b.run("phasorPage.select(phasorPage.model.requests.work[3])")
    contains(b.text("#details"), "fs work")
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
    contains(pages.changed("puzzle", lambda t: t.replace('json" class="trace-head">{',
                                                         'json" class="trace-head">{{')),
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


@test
def the_main_loop_comes_first(pages):
    trace = samples.lossy()
    trace.head["tracks"][1]["main"] = True
    b = pages.made(trace)
    equal(b.run("[phasorPage.track.index, document.querySelector('#loop').value]"), [1, "0"])
    equal(b.run("phasorPage.timeline.layout.rows[0].label"), trace.head["tracks"][1]["name"])


@test
def closing_a_timer_is_not_a_timer_that_fired(pages):
    trace = samples.Trace("timers", [("loop", "loop 3")])
    handle = trace.subject()
    trace.iteration({samples.TIMERS: lambda: trace.callback("timer", "fired", 5e3, handle, 700),
                     samples.CLOSING: lambda: trace.callback("timer", "closed", 5e3, handle)})
    b = pages.made(trace)
    contains(b.text("#sentences"), "Loop 3 turned once")
    equal(b.run("[phasorPage.loopFigures.lateness.count, phasorPage.loopFigures.lateness.worst]"),
          [1, 700e3])


@test
def a_request_without_a_callback_has_an_end(pages):
    trace = samples.Trace("quiet", [("loop", "main loop")])
    request = trace.subject()
    trace.row(samples.SUBMIT, 10e3, 0, "tcp", "", request)
    trace.now = 50e3
    trace.iteration({})
    trace.row(samples.DONE, trace.now, 0, "tcp", "", request)
    trace.now += 100e3
    trace.iteration({samples.TIMERS: lambda: trace.callback("timer", "later", 5e3)})
    b = pages.made(trace)
    # The first turn called nothing; nor did anything run before it, where the request was made.
    equal(number(b), "2")
    b.run("phasorPage.select(0)")
    contains(b.text("#details"), "done after42.9 µs")
    equal(number(b), "2")
    lane = b.run("(l => [l.start[0], l.end[0]])(phasorPage.model.requestLanes[0].lane)")
    equal(lane, [10e3, trace.rows[[row[2] for row in trace.rows].index(samples.DONE)][0]])


@test
def the_title_leaves_out_folders(pages):
    b = pages.made(samples.Trace("/usr/bin/node --x /srv/shop/app.js a/b", [("loop", "main loop")]))
    equal(b.text("#title"), "node --x app.js a/b")
    equal(b.run("document.querySelector('#title').title"), "/usr/bin/node --x /srv/shop/app.js a/b")
