import test from "node:test";
import assert from "node:assert";
import { parsePages } from "./src/pages.js";

const cases = [
  ["1-3,5", 10, [1, 2, 3, 5]],
  ["8-", 10, [8, 9, 10]],
  ["10-", 10, [10]],
  ["-1", 10, [1]],
  ["-2", 10, [1, 2]],
  ["9-,-2", 12, [1, 2, 9, 10, 11, 12]],
  ["10,9,2,1", 10, [1, 2, 9, 10]],
  ["5-8, 7-9", 10, [5, 6, 7, 8, 9]],
  ["98-", 101, [98, 99, 100, 101]],
  [" 3 , 1 ", 10, [1, 3]],
  ["", 2, [1, 2]],
];

for (const [text, pageCount, expected] of cases) {
  test(`parsePages("${text}", ${pageCount})`, () => {
    assert.deepStrictEqual(parsePages(text, pageCount), expected);
  });
}

for (const text of ["11", "3-11", "1,11"]) {
  test(`parsePages("${text}", 10) throws`, () => {
    assert.throws(() => parsePages(text, 10), RangeError);
  });
}
