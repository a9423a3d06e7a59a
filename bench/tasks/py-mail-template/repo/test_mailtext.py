import unittest

from mailtext import TemplateError, fill, mail


class MailTextTest(unittest.TestCase):
    def test_value(self):
        self.assertEqual(fill("Order {id} for {name}", {"id": 7, "name": "Ada"}), "Order 7 for Ada")

    def test_default(self):
        self.assertEqual(fill("Dear {name|customer}, thanks!", {}), "Dear customer, thanks!")

    def test_value_instead_of_default(self):
        self.assertEqual(fill("Dear {name|customer}, thanks!", {"name": "Ada"}), "Dear Ada, thanks!")

    def test_other_braces(self):
        self.assertEqual(fill("{ } {1} {", {}), "{ } {1} {")

    def test_missing_value(self):
        with self.assertRaisesRegex(TemplateError, "no value for name"):
            fill("Dear {name}", {})

    def test_mail(self):
        self.assertEqual(mail("Hi", "Bye {n}", {"n": 1}), "Subject: Hi\n\nBye 1\n")


if __name__ == "__main__":
    unittest.main()
