"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { LatencyRecorder } = require("../latency.js");

function recorder(...samples) {
  const result = new LatencyRecorder();
  samples.forEach((sample) => result.record(sample));
  return result;
}

test("median of 21, 35, 28", () => {
  assert.strictEqual(recorder(21, 35, 28).percentile(50), 28);
});

test("median of 9, 80, 100, 7, 1000", () => {
  assert.strictEqual(recorder(9, 80, 100, 7, 1000).percentile(50), 80);
});

test("95th percentile of 1 to 100", () => {
  const samples = Array.from({ length: 100 }, (_, index) => index + 1);
  assert.strictEqual(recorder(...samples).percentile(95), 95);
});

test("mean and maximum", () => {
  assert.strictEqual(recorder(5, 10, 30).mean(), 15);
  assert.strictEqual(recorder(5, 30, 10).max(), 30);
});
