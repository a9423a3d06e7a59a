import unittest

from catalog.demo import demo_catalog
from catalog.page import page


class PageTest(unittest.TestCase):
    def test_first_branch(self):
        self.assertEqual(page(demo_catalog(), "pots"), "Pots (2)\n- Large pot\n- Small pot")

    def test_second_child(self):
        self.assertEqual(page(demo_catalog(), "knives"), "Knives (1)\n- Bread knife")

    def test_category_without_products(self):
        self.assertEqual(page(demo_catalog(), "garden"), "Garden (0)")

    def test_unknown(self):
        self.assertEqual(page(demo_catalog(), "cars"), "404 no such category")


if __name__ == "__main__":
    unittest.main()
