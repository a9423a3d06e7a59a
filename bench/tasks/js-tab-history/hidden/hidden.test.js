"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { Tab } = require("./src/tab.js");

test("the oldest pages are forgotten", () => {
  const tab = new Tab("/0", 3);
  ["/1", "/2", "/3", "/4", "/5"].forEach((page) => tab.visit(page));
  assert.deepStrictEqual([tab.back(), tab.back(), tab.back(), tab.back()], ["/4", "/3", "/2", "/2"]);
  assert.deepStrictEqual([tab.forward(), tab.forward(), tab.forward(), tab.forward()], ["/3", "/4", "/5", "/5"]);
});

test("a limit of 1", () => {
  const tab = new Tab("/a", 1);
  tab.visit("/b");
  tab.visit("/c");
  assert.strictEqual(tab.back(), "/b");
  assert.strictEqual(tab.canGoBack(), false);
});

test("back several times, then another page", () => {
  const tab = new Tab("/");
  ["/a", "/b", "/c"].forEach((page) => tab.visit(page));
  tab.back();
  tab.back();
  tab.visit("/x");
  assert.strictEqual(tab.canGoForward(), false);
  assert.strictEqual(tab.back(), "/a");
  assert.strictEqual(tab.forward(), "/x");
  assert.strictEqual(tab.forward(), "/x");
});

test("opening the page that is shown changes nothing", () => {
  const tab = new Tab("/");
  tab.visit("/a");
  tab.visit("/b");
  tab.back();
  tab.visit("/a");
  assert.strictEqual(tab.canGoForward(), true);
  assert.strictEqual(tab.forward(), "/b");
  assert.strictEqual(tab.back(), "/a");
  assert.strictEqual(tab.back(), "/");
});

test("opening the start page again", () => {
  const tab = new Tab("/start");
  tab.visit("/start");
  assert.strictEqual(tab.canGoBack(), false);
});
