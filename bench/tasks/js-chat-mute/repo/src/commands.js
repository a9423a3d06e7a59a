"use strict";

const { formatNames } = require("./format.js");

/** Handles a line that a member has typed. Returns the answer that only this member sees, or "". */
function handle(room, from, line) {
  if (!line.startsWith("/")) {
    room.send({ from, text: line });
    return "";
  }
  const [command, ...words] = line.slice(1).split(" ");
  switch (command) {
    case "me":
      room.send({ from, text: words.join(" "), action: true });
      return "";
    case "who":
      return formatNames(room.names());
    default:
      return `unknown command '${command}'`;
  }
}

module.exports = { handle };
