"""Searches in the tree of categories."""


def find(category, slug):
    """The category with this slug in the tree below `category` (included), or None."""
    if category.slug == slug:
        return category
    for child in category.children:
        found = find(child, slug)
        if found:
            return found
    return None


def products(category):
    """All products in the tree, those of a category before those of its subcategories."""
    result = list(category.products)
    for child in category.children:
        result.extend(products(child))
    return result
