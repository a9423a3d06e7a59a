import unittest

from tags import build_index, overview

NOTES = [("Soup", ["food"]), ("Kernel", ["work", "linux"]), ("Canteen", ["food", "work"])]


class TagsTest(unittest.TestCase):
    def test_each_tag_has_its_own_notes(self):
        self.assertEqual(build_index(NOTES, ["food", "work"]),
                         {"food": ["Soup", "Canteen"], "work": ["Kernel", "Canteen"]})

    def test_overview(self):
        self.assertEqual(overview(NOTES, ["linux", "food"]), "food (2): Soup, Canteen\nlinux (1): Kernel")


if __name__ == "__main__":
    unittest.main()
