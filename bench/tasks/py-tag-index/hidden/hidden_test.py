import unittest

from tags import build_index, overview

NOTES = [("Soup", ["food"]), ("Kernel", ["work", "linux"]), ("Canteen", ["food", "work"])]


class HiddenTagsTest(unittest.TestCase):
    def test_three_tags(self):
        self.assertEqual(build_index(NOTES, ["linux", "work", "food"]),
                         {"linux": ["Kernel"], "work": ["Kernel", "Canteen"], "food": ["Soup", "Canteen"]})

    def test_unused_tag_is_a_key(self):
        self.assertEqual(build_index(NOTES, ["food", "garden"]), {"food": ["Soup", "Canteen"], "garden": []})

    def test_unknown_tags_are_ignored(self):
        self.assertEqual(build_index(NOTES, []), {})

    def test_calls_are_independent(self):
        build_index(NOTES, ["food"])
        self.assertEqual(build_index([("Tea", ["food"])], ["food"]), {"food": ["Tea"]})

    def test_overview_with_unused_tag(self):
        self.assertEqual(overview(NOTES, ["garden", "work"]), "garden (0)\nwork (2): Kernel, Canteen")
