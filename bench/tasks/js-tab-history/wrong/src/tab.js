"use strict";

/** The pages of one browser tab. */
class Tab {
  constructor(start, limit = 50) {
    this.page = start;
    this.limit = limit;
    this.behind = [];
    this.ahead = [];
  }

  /**
   * Shows another page. There is nothing to go forward to afterwards.
   * At most `limit` pages are kept to go back to; the oldest one is forgotten.
   * Does nothing if the page is shown already.
   */
  visit(page) {
    if (page === this.page) {
      return;
    }
    this.behind.push(this.page);
    if (this.behind.length > this.limit) {
      this.behind.pop();
    }
    this.page = page;
    this.ahead = [];
  }

  canGoBack() {
    return this.behind.length > 0;
  }

  canGoForward() {
    return this.ahead.length > 0;
  }

  /** Goes back one page, if possible, and returns the page that is shown. */
  back() {
    if (this.canGoBack()) {
      this.ahead.push(this.page);
      this.page = this.behind.pop();
    }
    return this.page;
  }

  /** Goes forward one page, if possible, and returns the page that is shown. */
  forward() {
    if (this.canGoForward()) {
      this.behind.push(this.page);
      this.page = this.ahead.pop();
    }
    return this.page;
  }
}

module.exports = { Tab };
