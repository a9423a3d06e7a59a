"use strict";

const { createAnchors } = require("./anchors.js");

/** Lists the headings of a Markdown text as { level, text, id }. */
function headings(markdown) {
  const anchor = createAnchors();
  const result = [];
  let inCode = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) {
      inCode = !inCode;
      continue;
    }
    const match = inCode ? null : /^(#{1,6})\s+(.*\S)/.exec(line);
    if (match) {
      result.push({ level: match[1].length, text: match[2], id: anchor(match[2]) });
    }
  }
  return result;
}

/** Renders the headings as an indented list of links. */
function tableOfContents(markdown) {
  return headings(markdown)
    .map(({ level, text, id }) => `${"  ".repeat(level - 1)}- [${text}](#${id})`)
    .join("\n");
}

module.exports = { headings, tableOfContents };
