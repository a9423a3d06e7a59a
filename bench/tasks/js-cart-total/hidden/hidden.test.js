"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { Cart } = require("./cart.js");

test("several items with quantities", () => {
  const cart = new Cart();
  cart.add("notebook", 450, 3);
  cart.add("pen", 120, 10);
  cart.add("bag", 2990);
  assert.strictEqual(cart.total(), 1350 + 1200 + 2990);
});

test("adding the same sku again", () => {
  const cart = new Cart();
  cart.add("pen", 120, 2);
  cart.add("pen", 120);
  assert.strictEqual(cart.count(), 3);
  assert.strictEqual(cart.total(), 360);
});

test("removing an item", () => {
  const cart = new Cart();
  cart.add("pen", 120, 2);
  cart.add("ink", 999, 2);
  cart.remove("pen");
  assert.strictEqual(cart.total(), 1998);
  cart.remove("ink");
  assert.strictEqual(cart.total(), 0);
});

test("total() can be called twice", () => {
  const cart = new Cart();
  cart.add("pen", 120, 2);
  assert.strictEqual(cart.total(), 240);
  assert.strictEqual(cart.total(), 240);
});
