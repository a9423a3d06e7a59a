"""The command line: expenses [--title TITLE] [--format FORMAT] ITEM=CENTS ..."""

import argparse
import sys

from expenses.formats import render_csv, render_json, render_text


def parse_row(text):
    item, sep, cents = text.rpartition("=")
    if not sep or not item or not cents.isdigit():
        raise argparse.ArgumentTypeError(f"expected ITEM=CENTS, got {text!r}")
    return item, int(cents)


def run(argv):
    """The report for the command line arguments, as text."""
    parser = argparse.ArgumentParser(prog="expenses")
    parser.add_argument("--title", default="Expenses")
    parser.add_argument("--format", choices=["text", "csv", "json"], default="text")
    parser.add_argument("rows", nargs="*", type=parse_row, metavar="ITEM=CENTS")
    args = parser.parse_args(argv)
    if args.format == "csv":
        return render_csv(args.title, args.rows)
    if args.format == "json":
        return render_json(args.title, args.rows)
    return render_text(args.title, args.rows)


if __name__ == "__main__":
    print(run(sys.argv[1:]))
