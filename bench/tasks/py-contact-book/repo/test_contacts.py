import unittest

from contacts import ContactBook, ContactError


class ContactBookTest(unittest.TestCase):
    def setUp(self):
        self.book = ContactBook()
        self.book.add("Ada Lovelace", "555-0101")

    def test_find(self):
        self.assertEqual(self.book.find("ada lovelace"), "555-0101")
        self.assertIsNone(self.book.find("Bob"))

    def test_in(self):
        self.assertTrue("ADA LOVELACE" in self.book)

    def test_add_twice(self):
        with self.assertRaises(ContactError):
            self.book.add("ADA LOVELACE", "555-0102")

    def test_card_keeps_the_spelling(self):
        self.assertEqual(self.book.card("ada lovelace"), "Ada Lovelace: 555-0101")
        self.assertEqual(self.book.names(), ["Ada Lovelace"])

    def test_rename(self):
        self.book.rename("Ada Lovelace", "Ada King")
        self.assertEqual(self.book.card("Ada King"), "Ada King: 555-0101")

    def test_remove(self):
        self.book.remove("Ada Lovelace")
        self.assertEqual(len(self.book), 0)


if __name__ == "__main__":
    unittest.main()
