"use strict";

/** Turns a heading into an id: lower case, words joined by dashes. */
function slugify(heading) {
  const slug = heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return slug || "section";
}

/**
 * Returns a function that gives each heading of one page its id.
 * A heading that was seen before gets a number: "usage", "usage-1", "usage-2".
 */
function createAnchors() {
  const seen = new Map();
  return function anchor(heading) {
    const slug = slugify(heading);
    const count = seen.get(slug) || 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

module.exports = { slugify, createAnchors };
