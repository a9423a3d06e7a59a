"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { render } = require("../src/template.js");
const { pointsMail } = require("../src/mails.js");

const cases = [
  ["Hello {{name}}!", { name: "Ann" }, "Hello Ann!"],
  ["Hello {{user.name}}!", {}, "Hello !"],
  ["Hello {{name}}!", { name: "<Bob>" }, "Hello &lt;Bob&gt;!"],
  ["{{{html}}}", { html: "<b>x</b>" }, "<b>x</b>"],
  ["You have {{count}} points", { count: 0 }, "You have 0 points"],
  ["{{#if a}}yes{{/if}}.", { a: true }, "yes."],
  ["{{#if a}}A{{/if}} and {{#if b}}B{{/if}}", { a: false, b: true }, " and B"],
];

for (const [template, data, expected] of cases) {
  test(`render(${JSON.stringify(template)}, ${JSON.stringify(data)})`, () => {
    assert.strictEqual(render(template, data), expected);
  });
}

test("points mail", () => {
  assert.strictEqual(
    pointsMail({ user: { name: "Ann" }, points: 5, expired: 2 }),
    "Dear Ann,\nyou have 5 points.\n\n2 points have expired.\n<p>Your shop</p>",
  );
});
