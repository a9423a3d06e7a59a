"""The goods in the warehouse."""

from shop.errors import StockError


class Stock:
    """How many pieces of each article there are."""

    def __init__(self, pieces):
        self.pieces = dict(pieces)

    def take(self, goods):
        """Takes the goods (article: pieces) out of the stock, all of them or none."""
        for article, count in goods.items():
            if self.pieces.get(article, 0) < count:
                raise StockError(f"not enough {article}")
        for article, count in goods.items():
            self.pieces[article] -= count

    def put_back(self, goods):
        for article, count in goods.items():
            self.pieces[article] = self.pieces.get(article, 0) + count
