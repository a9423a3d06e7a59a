"use strict";

/** Escapes the characters & < > and " for HTML. */
function escapeHtml(text) {
  return String(text)
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}

/** The value of a path such as "user.name", or "" if there is none. */
function lookup(data, path) {
  const value = path.split(".").reduce((object, key) => object && object[key], data);
  return value ?? "";
}

/**
 * Fills a template with data.
 * - {{path}} is replaced by the escaped value,
 * - {{{path}}} is replaced by the value as it is,
 * - {{#if path}}...{{/if}} is kept only if the value is truthy. Blocks cannot be nested.
 */
function render(template, data) {
  return template
    .replace(/\{\{#if ([\w.]+)\}\}(.*?)\{\{\/if\}\}/gs, (_, path, body) => (lookup(data, path) ? body : ""))
    .replace(/\{\{\{([\w.]+)\}\}\}/g, (_, path) => lookup(data, path))
    .replace(/\{\{([\w.]+)\}\}/g, (_, path) => escapeHtml(lookup(data, path)));
}

module.exports = { escapeHtml, lookup, render };
