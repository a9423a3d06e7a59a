import unittest

from contacts import ContactBook, ContactError


class HiddenContactsTest(unittest.TestCase):
    def setUp(self):
        self.book = ContactBook()
        self.book.add("Ada", "1")
        self.book.add("Bob", "2")

    def test_remove(self):
        self.book.remove("aDA")
        self.assertEqual(self.book.names(), ["Bob"])
        self.assertFalse("Ada" in self.book)
        with self.assertRaises(ContactError):
            self.book.remove("ada")

    def test_rename_with_other_case(self):
        self.book.rename("ADA", "Eve")
        self.assertEqual(self.book.names(), ["Bob", "Eve"])
        self.assertEqual(self.book.find("EVE"), "1")
        self.assertIsNone(self.book.find("ada"))

    def test_rename_changes_only_the_case(self):
        self.book.rename("ada", "ADA")
        self.assertEqual(self.book.card("ada"), "ADA: 1")
        self.assertEqual(len(self.book), 2)

    def test_rename_to_a_taken_name(self):
        with self.assertRaises(ContactError):
            self.book.rename("Ada", "BOB")
        self.assertEqual(self.book.names(), ["Ada", "Bob"])

    def test_unknown_names(self):
        for call in (lambda: self.book.card("Zoe"), lambda: self.book.remove("Zoe"),
                     lambda: self.book.rename("Zoe", "Zed")):
            with self.assertRaises(ContactError):
                call()

    def test_add_after_remove_keeps_the_new_spelling(self):
        self.book.remove("ada")
        self.book.add("ADA", "3")
        self.assertEqual(self.book.card("Ada"), "ADA: 3")
