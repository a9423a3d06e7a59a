"use strict";

const { formatMessage } = require("./format.js");

/** A chat room. Each member has an inbox with the lines that were sent to it. */
class Room {
  constructor() {
    this.inboxes = new Map();
  }

  join(name) {
    this.inboxes.set(name, []);
  }

  leave(name) {
    this.inboxes.delete(name);
  }

  has(name) {
    return this.inboxes.has(name);
  }

  /** The names of all members, sorted. */
  names() {
    return [...this.inboxes.keys()].sort();
  }

  inbox(name) {
    return this.inboxes.get(name);
  }

  /** Sends a message { from, text, action } to all members, the sender included. */
  send(message) {
    for (const inbox of this.inboxes.values()) {
      inbox.push(formatMessage(message));
    }
  }
}

module.exports = { Room };
