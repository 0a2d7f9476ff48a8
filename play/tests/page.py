"""page.py ADDRESS SAVED.html FOLDER AXE.js|-: the page of phasor play in Chromium."""

import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "trace/tests/viewer"))
import chromium  # noqa: E402
from pixels import images  # noqa: E402

ADDRESS, SAVED, FOLDER, AXE = sys.argv[1:5]
PUZZLES = pathlib.Path(__file__).resolve().parents[2] / "docs/puzzles/puzzles.html"
READY = "document.body?.dataset.ready === 'true'"
MOST_DIFFERENT = 20
LESSONS = ("06-tick-or-promise", "14-inside-io", "22-unref")


def check(good, what):
    if not good:
        sys.exit(f"page.py: {what}")


def visit(browser, address=ADDRESS):
    browser.errors.clear()
    browser.requests.clear()
    browser.send("Page.navigate", {"url": address})
    browser.wait(f"document.readyState === 'complete' && {READY}")


def shown(browser):
    """All that the page shows of a moment."""
    return browser.run("JSON.stringify([document.getElementById('boxes').innerText,"
                       "document.getElementById('console').innerText,"
                       "document.getElementById('ring').innerText,"
                       "document.getElementById('clock').innerText,"
                       "document.getElementById('sentence').innerText])")


def lines(browser):
    return browser.run("[...document.querySelectorAll('#console li')].map((li) => li.innerText)")


def is_quiet(browser):
    check(browser.errors == [], f"the page says: {browser.errors}")
    check(all(one.startswith((ADDRESS, "data:", "file:", "blob:")) for one in browser.requests),
          f"the page asks for {browser.requests}")


def picture(browser, name):
    browser.run("document.activeElement.blur(); phasorPlay.player.go(12)")
    browser.run("new Promise((done) => setTimeout(() => requestAnimationFrame(() =>"
                "requestAnimationFrame(done)), 100))")
    browser.screenshot(f"{FOLDER}/{name}")


def differing(browser, *names):
    """How many pixels of two pictures are clearly different; edges of letters may be drawn anew."""
    files = [pathlib.Path(FOLDER, name).read_bytes() for name in names]
    return browser.run(f"""(async () => {{
        const [a, b] = ({images(*files)}).map((image) => image.data);
        let count = 0;
        for (let i = 0; i < a.length; i += 4) {{
            const far = [0, 1, 2].some((j) => Math.abs(a[i + j] - b[i + j]) > 96);
            count += far ? 1 : 0;
        }}
        return count;
    }})()""")


def keys_and_steps(browser):
    """Keys lead through the program, and a moment is the same from both sides."""
    browser.run("document.activeElement.blur()")
    browser.key("End")
    check(lines(browser) == ["script", "tick", "promise", "read", "immediate", "timeout"],
          f"the console says {lines(browser)}")
    browser.key("Home")
    check(lines(browser) == [], "the console is not empty at the beginning")
    seen = []
    for _ in range(12):
        browser.key("ArrowRight")
        seen.append(shown(browser))
    check(len(set(seen)) == 12, "a step changes nothing")
    for expected in reversed(seen[:-1]):
        browser.key("ArrowLeft")
        check(shown(browser) == expected, "a moment looks different on the way back")
    picture(browser, "forward.png")
    browser.key("End")
    picture(browser, "back.png")
    far = differing(browser, "forward.png", "back.png")
    check(far < MOST_DIFFERENT, f"the pictures of one moment differ in {far} pixels")
    sizes = []
    for level in range(1, 5):
        browser.key("Home")
        browser.key(str(level))
        steps = 0
        while browser.run("phasorPlay.player.at < phasorPlay.model.steps.length"):
            browser.key("ArrowRight")
            steps += 1
        sizes.append(steps)
    check(sizes == sorted(sizes, reverse=True) and sizes[3] > 2, f"steps by size: {sizes}")
    browser.key("1")


def sentence_of_the_rule(browser):
    said = browser.run("phasorPlay.model.steps.map((step) => step.key)")
    check("imm-after-poll" in said, "nothing says that check comes after poll")
    at = said.index("imm-after-poll") + 1
    browser.run(f"phasorPlay.player.go({at})")
    check("check comes right after poll" in browser.text("#sentence"), browser.text("#sentence"))
    browser.click("#rule-link")
    check(browser.run("document.getElementById('rule').open"), "the rule does not open")
    check("setImmediate" in browser.text("#rule-text pre"), "the rule is not the one")
    check("Inside an I/O callback" in browser.text("#rule-lessons"), "no lesson is named")
    browser.click("#rule-close")
    without = browser.run("phasorPlay.model.steps.filter((step) => step.rule !== undefined &&"
                          " !phasorPlay.rules.link(document.createElement('a'), step.rule).hash)")
    check(without == [], f"steps whose rule has no page: {without}")


def choose(browser, name):
    browser.run("document.body.dataset.ready = 'no'")
    browser.run(f"(() => {{ const one = document.getElementById('lesson'); one.value = '{name}';"
                "one.dispatchEvent(new Event('change')); })()")
    browser.wait(READY)


def lesson(browser, name):
    """Predicts wrongly first, then rightly, with the buttons."""
    choose(browser, name)
    browser.wait("document.querySelectorAll('#guess li').length > 0")
    check(browser.run("document.getElementById('console').hidden"), "the console is not hidden")
    browser.click("#guess > button.main")
    why = browser.text("#guess .result").partition("Why: ")[2]
    check(why != "" and not why.startswith("Prints"), f"{name}: the reason is: {why}")
    right = browser.run("phasorPlay.predict.right")
    for i, text in enumerate(right):
        while True:
            now = browser.run("phasorPlay.predict.order")
            at = now.index(text, i)
            if at == i:
                break
            browser.click(f"#guess li:nth-child({at + 1}) .up")
    browser.click("#guess > button.main")
    check(f"all {len(right)} lines" in browser.text("#guess .result"), f"{name}: not right")
    check("Learned" in browser.text("#about"), f"{name}: the rule is not told")


def beside(browser):
    choose(browser, "15-top-level")
    browser.click("#orders")
    browser.wait("document.querySelectorAll('#other .order').length === 2")
    browser.click("#node")
    browser.wait("/node/.test(document.getElementById('other').innerText)")
    browser.click("#browser")
    browser.wait("/microtask/.test(document.getElementById('other').innerText)")
    says = "document.getElementById('other').innerText"
    run_text(browser, "const fs = require('fs');\n")
    browser.click("#browser")
    browser.wait(f"/\\nUncaught ReferenceError/.test({says})")
    check("Uncaught Uncaught" not in browser.run(says), browser.run(says))
    run_text(browser, "console.log([1, 'two'], { three: null }, function f() {});\n")
    browser.click("#browser")
    browser.wait(f"/Chromium printed the same/.test({says})")
    run_text(browser, "for (;;);\n")
    check(browser.text("#note").startswith("Stopped: the program had not ended"),
          f"of a program without end the page says: {browser.text('#note')}")
    browser.click("#orders")
    browser.wait(f"/was stopped: it did not end in time/.test({says})")
    browser.click("#node")
    browser.wait(f"/node .* was stopped/.test({says})")


def run_text(browser, text):
    browser.run("document.body.dataset.ready = 'no'")
    browser.run(f"phasorPlay.editor.setText({json.dumps(text)})")
    browser.click("#run")
    browser.wait(READY)


def syntax_error(browser):
    browser.run("phasorPlay.editor.setText('let a = 1;\\n\\nlet let = 2;\\n')")
    browser.click("#run")
    browser.wait("/line 3.*SyntaxError/.test(document.getElementById('note').innerText)")


def fits(browser):
    """No part is wider than the page, in both schemes and on a telephone."""
    for width, dark in ((390, False), (390, True), (1360, True), (1360, False)):
        browser.size(width, 800, dark, still=True)
        visit(browser)
        wide = browser.run("document.documentElement.scrollWidth")
        check(wide <= width, f"the page is {wide} wide on {width}")
        scheme = browser.run("document.documentElement.dataset.scheme")
        check(scheme == ("dark" if dark else "light"), f"the scheme is {scheme}")
        barriers(browser, f"{width} {scheme}")


def barriers(browser, where):
    if AXE == "-":
        return
    browser.run(pathlib.Path(AXE).read_text(encoding="utf-8") + "; 0")
    found = json.loads(browser.run(
        "axe.run().then((all) => JSON.stringify(all.violations.map((one) =>"
        "[one.id, one.nodes.map((node) => node.target.join(' ')).slice(0, 5)])))", longest=120))
    check(found == [], f"axe finds, at {where}: {found}")


def saved(browser):
    """A saved page works alone, with its rules."""
    visit(browser, pathlib.Path(SAVED).resolve().as_uri())
    browser.key("End")
    check(lines(browser)[-1] == "timeout", "the saved page does not show its program")
    check(browser.run("document.getElementById('run').hidden"), "a saved page can't run")
    is_quiet(browser)
    address = pathlib.Path(SAVED).resolve().as_uri() + "#rule=pool"
    browser.run(f"location.href = {json.dumps(address)}")
    browser.wait("document.getElementById('rule').open")
    check("UV_THREADPOOL_SIZE" in browser.text("#rule-text"), "the rule has no page when saved")
    is_quiet(browser)


def several(browser, address):
    """A page with several programs shows the one that its address names, and others by choice."""
    visit(browser, address + "#program=tick-or-promise")
    browser.key("End")
    check(lines(browser)[1] == "tick", f"the address leads to {lines(browser)}")
    browser.run("(() => { const one = document.getElementById('choice'); one.value = 'inside-io';"
                "one.dispatchEvent(new Event('change')); })()")
    browser.run("document.activeElement.blur()")
    browser.key("End")
    check(lines(browser) == ["immediate", "timeout"], f"the choice leads to {lines(browser)}")
    check("readFile" in browser.text("#editor"), "the program is another one's")
    barriers(browser, "several programs")
    is_quiet(browser)


def save_button(browser):
    """"Save page" gives a file that plays by itself, inside of another page."""
    downloads = pathlib.Path(FOLDER, "downloads")
    browser.send("Browser.setDownloadBehavior",
                 {"behavior": "allow", "downloadPath": str(downloads)}, session=False)
    visit(browser)
    browser.click("#save")
    until = time.monotonic() + 60
    while not downloads.exists() or [one.name for one in downloads.iterdir()] != ["program.html"]:
        check(time.monotonic() < until, "the page was not saved as program.html")
        time.sleep(0.1)
    browser.wait("document.getElementById('other').hidden")
    is_quiet(browser)
    outer = downloads / "blog.html"
    outer.write_text('<!DOCTYPE html><title>blog</title><body data-ready="true">'
                     '<iframe src="program.html" width="900" height="700"></iframe>',
                     encoding="utf-8")
    visit(browser, outer.as_uri())
    inner = frame(browser)
    inner("document.getElementById('speed').value = 10; document.getElementById('play').click()")
    while inner("document.querySelectorAll('#console li').length") < 6:
        check(time.monotonic() < until, "the page in a frame does not play to its end")
        time.sleep(0.1)
    check(inner("document.querySelector('#console li:last-child').innerText") == "timeout",
          "the page in a frame prints something else")
    check(inner("document.getElementById('run').hidden"), "a saved page can't run programs")
    is_quiet(browser)


def frame(browser):
    """What runs an expression in the one frame of the page."""
    tree = browser.send("Page.getFrameTree")["frameTree"]
    world = browser.send("Page.createIsolatedWorld",
                         {"frameId": tree["childFrames"][0]["frame"]["id"]})

    def run(expression):
        found = browser.send("Runtime.evaluate", {
            "expression": expression, "returnByValue": True,
            "contextId": world["executionContextId"]})
        check("exceptionDetails" not in found, f"{expression}: {found}")
        return found["result"].get("value")
    return run


def main():
    with chromium.Browser() as browser:
        browser.size(1360, 900, still=True)
        visit(browser)
        keys_and_steps(browser)
        sentence_of_the_rule(browser)
        for name in LESSONS:
            lesson(browser, name)
        visit(browser)
        check(browser.text("#progress").startswith("3 of"), "the progress is not kept")
        beside(browser)
        syntax_error(browser)
        browser.click("#language")
        check("程序" in browser.text("#program-title"), "the page does not speak Chinese")
        browser.click("#language")
        is_quiet(browser)
        fits(browser)
        saved(browser)
        save_button(browser)
        several(browser, PUZZLES.as_uri())
    print("the page works")


main()
