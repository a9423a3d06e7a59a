import unittest

from todo.commands import UsageError, run


class TodoTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(run(["add", "Buy", "milk"], []), (["-\tBuy milk"], "added 1"))

    def test_done(self):
        self.assertEqual(run(["done", "1"], ["-\tBuy milk"]), (["x\tBuy milk"], "done 1"))

    def test_add_high(self):
        self.assertEqual(run(["add", "--high", "Pay", "rent"], ["-\tBuy milk"]),
                         (["-\tBuy milk", "-\tPay rent\thigh"], "added 2"))

    def test_list(self):
        lines, _ = run(["add", "--high", "Pay", "rent"], ["-\tBuy milk"])
        _, output = run(["list"], lines)
        self.assertEqual(output, "2 [ ] ! Pay rent\n1 [ ] Buy milk")

    def test_errors(self):
        for argv in ([], ["add"], ["done", "3"]):
            with self.assertRaises(UsageError, msg=str(argv)):
                run(argv, ["-\tBuy milk"])


if __name__ == "__main__":
    unittest.main()
