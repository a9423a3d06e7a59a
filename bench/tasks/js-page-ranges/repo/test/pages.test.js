import test from "node:test";
import assert from "node:assert";
import { parsePages } from "../src/pages.js";
import { createJob } from "../src/job.js";

const cases = [
  ["1-3,5", [1, 2, 3, 5]],
  ["4", [4]],
  ["8-", [8, 9, 10]],
  ["-2", [1, 2]],
  ["5,1-2", [1, 2, 5]],
  ["1-3,2", [1, 2, 3]],
];

for (const [text, expected] of cases) {
  test(`parsePages("${text}", 10)`, () => {
    assert.deepStrictEqual(parsePages(text, 10), expected);
  });
}

test("an empty text means all pages", () => {
  assert.deepStrictEqual(parsePages(" ", 3), [1, 2, 3]);
});

test("a page after the last one is an error", () => {
  assert.throws(() => parsePages("2-11", 10), RangeError);
});

test("a duplex job needs half the sheets", () => {
  assert.strictEqual(createJob({ title: "Report", pageCount: 9 }, { pages: "1-5", duplex: true }).sheets, 3);
});
