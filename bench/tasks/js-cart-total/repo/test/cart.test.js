"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { Cart } = require("../cart.js");

test("an empty cart costs nothing", () => {
  assert.strictEqual(new Cart().total(), 0);
});

test("one pen costs 120", () => {
  const cart = new Cart();
  cart.add("pen", 120);
  assert.strictEqual(cart.total(), 120);
});

test("three notebooks at 450 cost 1350", () => {
  const cart = new Cart();
  cart.add("notebook", 450, 3);
  assert.strictEqual(cart.count(), 3);
  assert.strictEqual(cart.total(), 1350);
});
