"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { LatencyRecorder } = require("./latency.js");

function recorder(capacity, ...samples) {
  const result = new LatencyRecorder(capacity);
  samples.forEach((sample) => result.record(sample));
  return result;
}

test("percentiles of numbers with one to four digits", () => {
  const samples = recorder(100, 1000, 5, 42, 300, 7, 90, 12, 2, 800, 61);
  assert.strictEqual(samples.percentile(0), 2);
  assert.strictEqual(samples.percentile(10), 2);
  assert.strictEqual(samples.percentile(50), 42);
  assert.strictEqual(samples.percentile(90), 800);
  assert.strictEqual(samples.percentile(100), 1000);
});

test("fractions", () => {
  assert.strictEqual(recorder(10, 10.5, 9.5, 100.25).percentile(50), 10.5);
});

test("summary keeps the latest sample", () => {
  const samples = recorder(10, 1000, 20, 3);
  assert.deepStrictEqual(samples.summary(), { median: 20, p95: 1000, last: 3, max: 1000 });
  assert.strictEqual(samples.last(), 3);
  assert.deepStrictEqual(samples.samples, [1000, 20, 3]);
});

test("the oldest sample is dropped after a percentile", () => {
  const samples = recorder(3, 100, 2, 30);
  samples.percentile(50);
  samples.record(4);
  assert.deepStrictEqual(samples.samples, [2, 30, 4]);
  assert.strictEqual(samples.percentile(100), 30);
});
