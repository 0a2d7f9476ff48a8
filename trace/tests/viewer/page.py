"""The page in headless Chromium, with made-up traces. Prints one line per test.

    page.py [--pictures FOLDER] [NAME...]

Leaves with 77 when Chromium is not installed.
"""

import argparse
import pathlib
import sys
import tempfile
import traceback

import chromium
import page_looks
import page_moves  # noqa: F401
import page_says  # noqa: F401
import page_shows  # noqa: F401
from pages import TESTS, Pages


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
            page_looks.take_pictures(pages, arguments.pictures)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
