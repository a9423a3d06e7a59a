"""A task and its line in the file: state, tab, text."""

from dataclasses import dataclass


@dataclass
class Task:
    text: str
    done: bool = False


def to_line(task):
    return f"{'x' if task.done else '-'}\t{task.text}"


def from_line(line):
    state, text = line.split("\t")
    return Task(text, state == "x")
