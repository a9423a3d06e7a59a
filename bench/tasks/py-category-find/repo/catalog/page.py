"""The text of a category page."""

from catalog.search import find, products


def page(root, slug):
    """The page for a slug: the title, the number of products and their names."""
    category = find(root, slug)
    if category is None:
        return "404 no such category"
    names = products(category)
    lines = [f"{category.title} ({category.total()})"]
    lines.extend(f"- {name}" for name in names)
    return "\n".join(lines)
