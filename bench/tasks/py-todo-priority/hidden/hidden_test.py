import unittest

from todo.commands import UsageError, run

LINES = ["-\ta", "-\tb\thigh", "x\tc", "x\td\thigh", "-\te"]


class HiddenTodoTest(unittest.TestCase):
    def play(self, argv, lines):
        try:
            return run(argv, list(lines))
        except ValueError as error:
            self.fail(f"run({argv}, {lines}): ValueError: {error}")

    def test_list_order_and_numbers(self):
        lines, output = self.play(["list"], LINES)
        self.assertEqual(output, "2 [ ] ! b\n4 [x] ! d\n1 [ ] a\n3 [x] c\n5 [ ] e")
        self.assertEqual(lines, LINES)

    def test_done_keeps_priority_and_order(self):
        lines, output = self.play(["done", "2"], LINES)
        self.assertEqual(output, "done 2")
        self.assertEqual(lines, ["-\ta", "x\tb\thigh", "x\tc", "x\td\thigh", "-\te"])

    def test_text_that_looks_like_a_priority(self):
        lines, _ = self.play(["add", "high"], [])
        self.assertEqual(lines, ["-\thigh"])
        self.assertEqual(self.play(["list"], lines)[1], "1 [ ] high")

    def test_old_files(self):
        self.assertEqual(self.play(["list"], ["-\ta", "x\tb"]), (["-\ta", "x\tb"], "1 [ ] a\n2 [x] b"))

    def test_high_without_text(self):
        with self.assertRaises(UsageError):
            run(["add", "--high"], [])
        with self.assertRaises(UsageError):
            run(["add"], [])

    def test_empty_list(self):
        self.assertEqual(self.play(["list"], []), ([], ""))
