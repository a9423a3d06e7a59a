"use strict";

const test = require("node:test");
const assert = require("node:assert");
const { Room } = require("../src/room.js");
const { handle } = require("../src/commands.js");

function roomWith(...names) {
  const room = new Room();
  names.forEach((name) => room.join(name));
  return room;
}

test("text and actions reach everybody", () => {
  const room = roomWith("ann", "bob");
  handle(room, "bob", "hello");
  handle(room, "bob", "/me waves");
  assert.deepStrictEqual(room.inbox("ann"), ["bob: hello", "* bob waves"]);
  assert.deepStrictEqual(room.inbox("bob"), ["bob: hello", "* bob waves"]);
});

test("/who lists the members", () => {
  assert.strictEqual(handle(roomWith("cid", "ann"), "ann", "/who"), "ann, cid");
});

test("ann mutes bob", () => {
  const room = roomWith("ann", "bob");
  assert.strictEqual(handle(room, "ann", "/mute bob"), "muted bob");
  handle(room, "bob", "hello");
  handle(room, "bob", "/me waves");
  assert.deepStrictEqual(room.inbox("ann"), []);
});

test("ann unmutes bob", () => {
  const room = roomWith("ann", "bob");
  handle(room, "ann", "/mute bob");
  assert.strictEqual(handle(room, "ann", "/unmute bob"), "unmuted bob");
  handle(room, "bob", "hello again");
  assert.deepStrictEqual(room.inbox("ann"), ["bob: hello again"]);
});

test("/who marks muted members", () => {
  const room = roomWith("ann", "bob", "cid");
  handle(room, "ann", "/mute bob");
  assert.strictEqual(handle(room, "ann", "/who"), "ann, bob (muted), cid");
});

test("/mute needs another member", () => {
  const room = roomWith("ann", "bob");
  assert.strictEqual(handle(room, "ann", "/mute zoe"), "no member 'zoe'");
  assert.strictEqual(handle(room, "ann", "/mute ann"), "you cannot mute yourself");
});
