"""The commands add, done and list."""

from todo.task import Task, from_line, to_line


class UsageError(Exception):
    pass


def add(tasks, words):
    high = words[:1] == ["--high"]
    if high:
        words = words[1:]
    if not words:
        raise UsageError("add needs a text")
    tasks.append(Task(" ".join(words), high=high))
    return f"added {len(tasks)}"


def done(tasks, words):
    if len(words) != 1 or not words[0].isdigit() or not 1 <= int(words[0]) <= len(tasks):
        raise UsageError("done needs the number of a task")
    tasks[int(words[0]) - 1].done = True
    return f"done {words[0]}"


def show(tasks, words):
    rows = []
    for number, task in sorted(enumerate(tasks, start=1), key=lambda pair: not pair[1].high):
        mark = "! " if task.high else ""
        rows.append(f"{number} [{'x' if task.done else ' '}] {mark}{task.text}")
    return "\n".join(rows)


COMMANDS = {"add": add, "done": done, "list": show}


def run(argv, lines):
    """Runs a command on the lines of the file; returns (new lines, output)."""
    if not argv or argv[0] not in COMMANDS:
        raise UsageError("expected add, done or list")
    tasks = [from_line(line) for line in lines]
    output = COMMANDS[argv[0]](tasks, argv[1:])
    return [to_line(task) for task in tasks], output
