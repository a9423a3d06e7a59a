"""A task and its line in the file: state, tab, text."""

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
    fields = line.split("\t")
    return Task(fields[1], fields[0] == "x", fields[-1] == "high")
