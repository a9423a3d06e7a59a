"use strict";

const { formatMessage } = require("./format.js");

/** A chat room. Each member has an inbox with the lines that were sent to it. */
class Room {
  constructor() {
    this.inboxes = new Map();
    /** The names that each member has muted. */
    this.mutes = new Map();
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

  mute(by, name) {
    if (!this.mutes.has(by)) {
      this.mutes.set(by, new Set());
    }
    this.mutes.get(by).add(name);
  }

  unmute(by, name) {
    this.mutes.get(by)?.delete(name);
  }

  hasMuted(by, name) {
    return this.mutes.get(by)?.has(name) ?? false;
  }

  inbox(name) {
    return this.inboxes.get(name);
  }

  /** Sends a message { from, text, action } to all members who have not muted the sender, the sender included. */
  send(message) {
    for (const [name, inbox] of this.inboxes) {
      if (!this.hasMuted(name, message.from)) {
        inbox.push(formatMessage(message));
      }
    }
  }
}

module.exports = { Room };
