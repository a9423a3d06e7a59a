import unittest

from machine import Machine, MachineError


def run(text):
    return Machine().run([part.strip() for part in text.split(",")])


class MachineTest(unittest.TestCase):
    def test_add_and_mul(self):
        self.assertEqual(run("push 2, push 3, add, push 4, mul"), [20])

    def test_sub(self):
        self.assertEqual(run("push 10, push 3, sub"), [7])

    def test_div(self):
        self.assertEqual(run("push 10, push 3, div"), [3])

    def test_swap(self):
        self.assertEqual(run("push 1, push 2, swap"), [2, 1])

    def test_jz(self):
        self.assertEqual(run("push 0, jz 3, push 8, push 9"), [9])

    def test_errors(self):
        for text, message in [("add", "0: the stack is empty"), ("push 1, push 0, div", "2: division by zero"),
                              ("jmp 0", "0: too many steps"), ("push 1, halt", "1: unknown instruction halt")]:
            with self.assertRaises(MachineError) as caught:
                run(text)
            self.assertEqual(str(caught.exception), message)


if __name__ == "__main__":
    unittest.main()
