"""The tree of categories."""


class Category:
    """A category with its products and its subcategories. `len()` is the number of its own products."""

    def __init__(self, slug, title, products=(), children=()):
        self.slug = slug
        self.title = title
        self.products = list(products)
        self.children = list(children)

    def __len__(self):
        return len(self.products)

    def total(self):
        """The number of products here and in all subcategories."""
        return len(self) + sum(child.total() for child in self.children)
