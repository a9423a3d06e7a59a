"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { createAnchors } = require("../src/anchors.js");
const { tableOfContents } = require("../src/toc.js");

test("different headings keep their plain ids", () => {
  const anchor = createAnchors();
  assert.deepStrictEqual(["Getting started", "FAQ"].map((text) => anchor(text)), ["getting-started", "faq"]);
});

test("the heading Usage, three times", () => {
  const anchor = createAnchors();
  const ids = ["Usage", "Usage", "Usage"].map((text) => anchor(text));
  assert.deepStrictEqual(ids, ["usage", "usage-1", "usage-2"]);
});

test("table of contents", () => {
  assert.strictEqual(
    tableOfContents("# Guide\ntext\n## Install\n```\n# not a heading\n```\n## Usage\n"),
    "- [Guide](#guide)\n  - [Install](#install)\n  - [Usage](#usage)",
  );
});
