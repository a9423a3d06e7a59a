"use strict";

/** Collects the latencies of requests, in milliseconds. */
class LatencyRecorder {
  constructor(capacity = 1000) {
    this.capacity = capacity;
    this.samples = [];
  }

  /** Records a sample. The oldest sample is dropped when the recorder is full. */
  record(milliseconds) {
    this.samples.push(milliseconds);
    if (this.samples.length > this.capacity) {
      this.samples.shift();
    }
  }

  /** The latest sample. */
  last() {
    return this.samples[this.samples.length - 1];
  }

  mean() {
    return this.samples.reduce((sum, sample) => sum + sample, 0) / this.samples.length;
  }

  max() {
    return Math.max(...this.samples);
  }

  /** The smallest sample that is at least as large as `percent` percent of the samples. */
  percentile(percent) {
    const sorted = [...this.samples].sort((a, b) => a - b);
    const rank = Math.ceil((percent / 100) * sorted.length);
    return sorted[Math.max(rank, 1) - 1];
  }

  summary() {
    return { median: this.percentile(50), p95: this.percentile(95), last: this.last(), max: this.max() };
  }
}

module.exports = { LatencyRecorder };
