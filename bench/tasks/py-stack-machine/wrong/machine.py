"""A stack machine for the formulas in our sensor firmware.

A program is a list of instructions: "push 5", "add", "jz 7". Values are whole numbers.
"""


class MachineError(Exception):
    """An error in a program, with the number of the instruction (from 0)."""


class Machine:
    """Runs programs. `max_steps` stops programs that do not end."""

    def __init__(self, max_steps=1000):
        self.max_steps = max_steps
        self.stack = []

    def _pop(self, at):
        if not self.stack:
            raise MachineError(f"{at}: the stack is empty")
        return self.stack.pop()

    def run(self, program):
        """Runs the program on an empty stack and returns the final stack."""
        self.stack = []
        at = 0
        steps = 0
        while at < len(program):
            steps += 1
            if steps > self.max_steps:
                raise MachineError(f"{at}: too many steps")
            at = self._execute(program[at].split(), at)
        return self.stack

    def _execute(self, words, at):
        name, arguments = words[0], [int(word) for word in words[1:]]
        if name == "push":
            self.stack.append(arguments[0])
        elif name == "add":
            self.stack.append(self._pop(at) + self._pop(at))
        elif name == "sub":
            self.stack.append(-self._pop(at) + self._pop(at))
        elif name == "mul":
            self.stack.append(self._pop(at) * self._pop(at))
        elif name == "div":
            right, left = self._pop(at), self._pop(at)
            if right == 0:
                raise MachineError(f"{at}: division by zero")
            self.stack.append(left // right)
        elif name == "mod":
            left, right = self._pop(at), self._pop(at)
            if right == 0:
                raise MachineError(f"{at}: division by zero")
            self.stack.append(left % right)
        elif name == "lt":
            self.stack.append(int(self._pop(at) < self._pop(at)))
        elif name == "dup":
            value = self._pop(at)
            self.stack += [value, value]
        elif name == "swap":
            top, below = self._pop(at), self._pop(at)
            self.stack += [top, below]
        elif name == "drop":
            self._pop(at)
        elif name == "jmp":
            return arguments[0]
        elif name == "jz":
            if self._pop(at) == 0:
                return arguments[0]
        else:
            raise MachineError(f"{at}: unknown instruction {name}")
        return at + 1
