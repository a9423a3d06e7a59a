import unittest

from machine import Machine, MachineError


def run(text):
    return Machine().run([part.strip() for part in text.split(",")])


class HiddenMachineTest(unittest.TestCase):
    def test_table(self):
        for text, stack in [("push 3, push 10, sub", [-7]), ("push 7, push 2, div", [3]), ("push 2, push 7, div", [0]),
                            ("push 7, push 4, mod", [3]), ("push 4, push 7, mod", [4]),
                            ("push 1, push 2, lt", [1]), ("push 2, push 1, lt", [0]), ("push 2, push 2, lt", [0]),
                            ("push 1, push 2, push 3, swap", [1, 3, 2]), ("push 5, dup, mul", [25]),
                            ("push 6, push 1, jz 4, push 7", [6, 7]), ("push 6, push 0, jz 4, push 7", [6]),
                            ("push 0, push 9, div", [0])]:
            self.assertEqual(run(text), stack, text)

    def test_division_by_zero(self):
        for text in ("push 5, push 0, div", "push 5, push 0, mod"):
            with self.assertRaises(MachineError, msg=text):
                run(text)

    def test_loop(self):
        # Multiplies 1 by 2 five times, counting down.
        program = "push 1, push 5, dup, jz 11, swap, push 2, mul, swap, push 1, sub, jmp 2, drop"
        self.assertEqual(run(program), [32])

    def test_order_of_a_longer_formula(self):
        self.assertEqual(run("push 100, push 8, push 3, sub, div, push 6, mod"), [2])
