"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { createAnchors } = require("./src/anchors.js");
const { headings } = require("./src/toc.js");

test("five equal headings", () => {
  const anchor = createAnchors();
  const ids = Array.from({ length: 5 }, () => anchor("Notes"));
  assert.deepStrictEqual(ids, ["notes", "notes-1", "notes-2", "notes-3", "notes-4"]);
});

test("mixed headings are counted separately", () => {
  const anchor = createAnchors();
  const ids = ["A", "B", "A", "C", "B", "A", "a!"].map((text) => anchor(text));
  assert.deepStrictEqual(ids, ["a", "b", "a-1", "c", "b-1", "a-2", "a-3"]);
});

test("each page starts again", () => {
  createAnchors()("Usage");
  assert.strictEqual(createAnchors()("Usage"), "usage");
});

test("headings without letters", () => {
  const page = headings("# ???\n# !!!\n# ---\n");
  assert.deepStrictEqual(page.map(({ id }) => id), ["section", "section-1", "section-2"]);
});
