"""Keys, buttons, the mouse and the search: going through a recording."""

from pages import canvas_point, contains, equal, listed, number, search, test, view


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
        search(b, query)
        equal((query, b.run("phasorPage.matches.length")), (query, count))
    equal(b.text("#matches"), "nothing found")
    assert b.run("document.querySelector('#match-next').disabled")


@test
def n_and_shift_n_go_to_matches(pages):
    b = pages.open("server")
    b.key("0")
    search(b, "onRequest")
    contains(b.text("#matches"), "1 of ")
    b.key("n")
    contains(b.text("#matches"), "2 of ")
    b.key("N")
    b.key("N")
    count = b.run("phasorPage.matches.length")
    equal(b.text("#matches"), f"{count} of {count}")


@test
def the_wheel_zooms_and_dragging_with_shift_moves(pages):
    b = pages.open("server")
    b.key("0")
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
    b.drag(x, y, x + 120, y, shift=True)
    moved = view(b)
    assert moved[0] < after[0]
    assert abs((moved[1] - moved[0]) - (after[1] - after[0])) < 1
    equal(b.run("phasorPage.selected"), -1)


@test
def keys_zoom_move_and_show_all(pages):
    b = pages.open("server")
    b.key("0")
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
    equal(number(b), "79")
    b.key("W")
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
def the_help_opens_and_closes_by_keys(pages):
    b = pages.open("puzzle")
    b.key("?")
    assert b.run("document.querySelector('#help').open")
    contains(b.text("#help-keys"), "play or pause")
    contains(b.text("#help"), "the wheel zooms")
    for mark in "\u2197!+\u00d7\u25c6":
        contains(b.text("#help"), mark)
    b.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": "Escape",
                                      "windowsVirtualKeyCode": 27})
    b.wait("!document.querySelector('#help').open")


@test
def an_address_opens_at_an_iteration(pages):
    pages.trace("server")
    b = pages.open("server")
    b.send("Page.navigate", {"url": "about:blank"})
    b.send("Page.navigate", {"url": pages.path("server").resolve().as_uri() + "#iteration=493"})
    b.wait("document.body?.dataset.ready === 'true'")
    equal(number(b), "493")
