"use strict";

/** A message as the members see it. */
function formatMessage({ from, text, action = false }) {
  return action ? `* ${from} ${text}` : `${from}: ${text}`;
}

/** The answer to /who. */
function formatNames(names) {
  return names.join(", ");
}

module.exports = { formatMessage, formatNames };
