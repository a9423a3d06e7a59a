import unittest

from catalog.category import Category
from catalog.demo import demo_catalog
from catalog.page import page
from catalog.search import find


class HiddenCatalogTest(unittest.TestCase):
    def test_every_category_of_a_deep_tree(self):
        def grow(slug, depth):
            children = [grow(slug + digit, depth - 1) for digit in "012"] if depth else []
            return Category(slug, slug.upper(), children=children)

        def check(category):
            self.assertIs(find(root, category.slug), category, category.slug)
            for child in category.children:
                check(child)

        root = grow("r", 3)
        check(root)
        self.assertIsNone(find(root, "r3"))

    def test_subtree_only(self):
        kitchen = find(demo_catalog(), "kitchen")
        self.assertIsNone(find(kitchen, "garden"))
        self.assertEqual(find(kitchen, "knives").title, "Knives")

    def test_page_of_a_parent(self):
        self.assertEqual(page(demo_catalog(), "home"),
                         "Home (4)\n- Towel\n- Large pot\n- Small pot\n- Bread knife")
