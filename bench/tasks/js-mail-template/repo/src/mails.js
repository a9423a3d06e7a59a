"use strict";

const { render } = require("./template.js");

const POINTS = [
  "Dear {{user.name}},",
  "you have {{points}} points.",
  "{{#if voucher}}Your voucher: {{voucher}}{{/if}}",
  "{{#if expired}}{{expired}} points have expired.{{/if}}",
  "{{{signature}}}",
].join("\n");

/** The monthly mail about the points of a customer. */
function pointsMail(customer) {
  return render(POINTS, { ...customer, signature: "<p>Your shop</p>" });
}

module.exports = { pointsMail };
