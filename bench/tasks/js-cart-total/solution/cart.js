"use strict";

/** A shopping cart. Prices are in cents. */
class Cart {
  constructor() {
    this.items = [];
  }

  /** Adds an item. Adding a known sku again raises its quantity. */
  add(sku, price, quantity = 1) {
    const known = this.items.find((item) => item.sku === sku);
    if (known) {
      known.quantity += quantity;
      return;
    }
    this.items.push({ sku, price, quantity });
  }

  /** Removes the item completely, whatever its quantity. */
  remove(sku) {
    this.items = this.items.filter((item) => item.sku !== sku);
  }

  /** The number of pieces in the cart. */
  count() {
    let count = 0;
    for (const item of this.items) {
      count += item.quantity;
    }
    return count;
  }

  /** The price of everything in the cart, in cents. */
  total() {
    let total = 0;
    for (const item of this.items) {
      total += item.price * item.quantity;
    }
    return total;
  }
}

module.exports = { Cart };
