"""A small catalog for tests and demos."""

from catalog.category import Category


def demo_catalog():
    return Category("home", "Home", children=[
        Category("kitchen", "Kitchen", ["Towel"], children=[
            Category("pots", "Pots", ["Large pot", "Small pot"]),
            Category("knives", "Knives", ["Bread knife"]),
        ]),
        Category("garden", "Garden"),
    ])
