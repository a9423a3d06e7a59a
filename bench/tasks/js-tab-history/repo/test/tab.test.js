"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { Tab } = require("../src/tab.js");

test("back and forward", () => {
  const tab = new Tab("/");
  tab.visit("/a");
  tab.visit("/b");
  assert.strictEqual(tab.back(), "/a");
  assert.strictEqual(tab.back(), "/");
  assert.strictEqual(tab.back(), "/");
  assert.strictEqual(tab.forward(), "/a");
});

test("/a, /b, back, /x, forward", () => {
  const tab = new Tab("/");
  tab.visit("/a");
  tab.visit("/b");
  tab.back();
  tab.visit("/x");
  assert.strictEqual(tab.canGoForward(), false);
  assert.strictEqual(tab.forward(), "/x");
});

test("a limit of 3 allows going back three times", () => {
  const tab = new Tab("/0", 3);
  ["/1", "/2", "/3", "/4", "/5"].forEach((page) => tab.visit(page));
  let steps = 0;
  while (tab.canGoBack()) {
    tab.back();
    steps += 1;
  }
  assert.strictEqual(steps, 3);
});

test("opening the same page twice", () => {
  const tab = new Tab("/");
  tab.visit("/a");
  tab.visit("/a");
  assert.strictEqual(tab.back(), "/");
});
