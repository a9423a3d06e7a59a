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
      return formatNames(room.names(), (name) => room.hasMuted(from, name));
    case "mute":
      return mute(room, from, words[0]);
    case "unmute":
      return unmute(room, from, words[0]);
    default:
      return `unknown command '${command}'`;
  }
}

function mute(room, from, name) {
  if (name === from) {
    return "you cannot mute yourself";
  }
  if (!room.has(name)) {
    return `no member '${name}'`;
  }
  room.mute(from, name);
  return `muted ${name}`;
}

function unmute(room, from, name) {
  if (!room.has(name)) {
    return `no member '${name}'`;
  }
  room.unmute(from, name);
  return `unmuted ${name}`;
}

module.exports = { handle };
