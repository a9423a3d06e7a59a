"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { Room } = require("./src/room.js");
const { handle } = require("./src/commands.js");

function roomWith(...names) {
  const room = new Room();
  names.forEach((name) => room.join(name));
  return room;
}

test("others still receive the messages", () => {
  const room = roomWith("ann", "bob", "cid");
  handle(room, "ann", "/mute bob");
  handle(room, "bob", "hello");
  handle(room, "bob", "/me waves");
  handle(room, "cid", "hi");
  assert.deepStrictEqual(room.inbox("ann"), ["cid: hi"]);
  assert.deepStrictEqual(room.inbox("bob"), ["bob: hello", "* bob waves", "cid: hi"]);
  assert.deepStrictEqual(room.inbox("cid"), ["bob: hello", "* bob waves", "cid: hi"]);
});

test("a mute works in one direction", () => {
  const room = roomWith("ann", "bob");
  handle(room, "ann", "/mute bob");
  handle(room, "ann", "quiet now");
  assert.deepStrictEqual(room.inbox("bob"), ["ann: quiet now"]);
  assert.deepStrictEqual(room.inbox("ann"), ["ann: quiet now"]);
});

test("/who shows each member its own mutes", () => {
  const room = roomWith("ann", "bob", "cid");
  handle(room, "ann", "/mute cid");
  handle(room, "ann", "/mute bob");
  handle(room, "bob", "/mute cid");
  assert.strictEqual(handle(room, "ann", "/who"), "ann, bob (muted), cid (muted)");
  assert.strictEqual(handle(room, "bob", "/who"), "ann, bob, cid (muted)");
  assert.strictEqual(handle(room, "cid", "/who"), "ann, bob, cid");
});

test("the mute stays when bob comes back", () => {
  const room = roomWith("ann", "bob");
  handle(room, "ann", "/mute bob");
  room.leave("bob");
  assert.strictEqual(handle(room, "ann", "/who"), "ann");
  room.join("bob");
  handle(room, "bob", "back");
  assert.deepStrictEqual(room.inbox("ann"), []);
});

test("unmute", () => {
  const room = roomWith("ann", "bob", "cid");
  handle(room, "ann", "/mute bob");
  handle(room, "cid", "/mute bob");
  handle(room, "ann", "/unmute bob");
  handle(room, "bob", "hello");
  assert.deepStrictEqual(room.inbox("ann"), ["bob: hello"]);
  assert.deepStrictEqual(room.inbox("cid"), []);
  assert.strictEqual(handle(room, "ann", "/unmute zoe"), "no member 'zoe'");
});

test("the other commands", () => {
  const room = roomWith("ann", "bob");
  assert.strictEqual(handle(room, "ann", "/kick bob"), "unknown command 'kick'");
  assert.strictEqual(handle(room, "ann", "/mute ann"), "you cannot mute yourself");
  handle(room, "ann", "hello");
  assert.deepStrictEqual(room.inbox("ann"), ["ann: hello"]);
});
