"use strict";

/** A message as the members see it. */
function formatMessage({ from, text, action = false }) {
  return action ? `* ${from} ${text}` : `${from}: ${text}`;
}

/** The answer to /who. */
function formatNames(names, isMuted) {
  return names.map((name) => (isMuted(name) ? `${name} (muted)` : name)).join(", ");
}

module.exports = { formatMessage, formatNames };
