"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { escapeHtml, render } = require("./src/template.js");

const cases = [
  ["{{name}}", { name: "Tom & Jerry" }, "Tom &amp; Jerry"],
  ["{{name}}", { name: "&lt;" }, "&amp;lt;"],
  ["{{name}}", { name: '"a" <b> & c' }, "&quot;a&quot; &lt;b&gt; &amp; c"],
  ["{{{name}}}", { name: "a & b" }, "a & b"],
  ["{{a.b}}", { a: { b: 0 } }, "0"],
  ["{{{a}}}", { a: 0 }, "0"],
  ["[{{a}}]", { a: null }, "[]"],
  ["[{{a.b.c}}]", { a: null }, "[]"],
  ["[{{a}}]", { a: "" }, "[]"],
  ["{{#if n}}many{{/if}}", { n: 0 }, ""],
  ["{{#if a}}A{{/if}}-{{#if b}}B{{/if}}-{{#if c}}C{{/if}}", { a: 1, b: 0, c: 1 }, "A--C"],
  ["{{#if a}}line 1\nline 2\n{{/if}}end {{#if b}}{{b}}{{/if}}", { a: true, b: 3 }, "line 1\nline 2\nend 3"],
  ["{{#if a}}{{/if}}{{x}}{{#if b}}b{{/if}}", { a: 1, x: "<", b: 1 }, "&lt;b"],
];

for (const [template, data, expected] of cases) {
  test(`render(${JSON.stringify(template)}, ${JSON.stringify(data)})`, () => {
    assert.strictEqual(render(template, data), expected);
  });
}

test("escapeHtml", () => {
  assert.strictEqual(escapeHtml("a&b<c>d\"e"), "a&amp;b&lt;c&gt;d&quot;e");
  assert.strictEqual(escapeHtml(12), "12");
});
