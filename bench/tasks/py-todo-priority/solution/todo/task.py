"""A task and its line in the file: state, tab, text, and for a high task tab, high."""

from dataclasses import dataclass


@dataclass
class Task:
    text: str
    done: bool = False
    high: bool = False


def to_line(task):
    line = f"{'x' if task.done else '-'}\t{task.text}"
    return line + "\thigh" if task.high else line


def from_line(line):
    state, text, *rest = line.split("\t")
    return Task(text, state == "x", rest == ["high"])
