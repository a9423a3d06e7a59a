"""Checks that every file in locales/ has the keys and the placeholders of locales/en.json."""

import json
import pathlib
import re
import sys

FOLDER = pathlib.Path("locales")


def placeholders(text):
    return sorted(re.findall(r"\{(\w+)\}", text))


def problems(reference, texts):
    for key in sorted(reference.keys() - texts.keys()):
        yield f"{key} is missing"
    for key in sorted(texts.keys() - reference.keys()):
        yield f"{key} is not in en.json"
    for key in sorted(reference.keys() & texts.keys()):
        wanted, found = placeholders(reference[key]), placeholders(texts[key])
        if wanted != found:
            yield f"{key}: expected the placeholders {wanted}, found {found}"


def main():
    reference = json.loads((FOLDER / "en.json").read_text(encoding="utf-8"))
    failed = False
    for path in sorted(FOLDER.glob("*.json")):
        for problem in problems(reference, json.loads(path.read_text(encoding="utf-8"))):
            print(f"{path}: {problem}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
