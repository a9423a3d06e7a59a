import test from "node:test";
import assert from "node:assert";
import { changedSettings, settingsFor } from "../src/settings.js";

test("a user without settings gets the defaults", () => {
  const settings = settingsFor({ name: "Bob" });
  assert.strictEqual(settings.theme, "light");
  assert.strictEqual(settings.editor.tabSize, 4);
});

test("saved settings replace the defaults", () => {
  const settings = settingsFor({ name: "Cid", settings: { sidebar: { width: 300 } } });
  assert.deepStrictEqual(settings.sidebar, { visible: true, width: 300 });
});

test("settingsFor(Ann) does not change settingsFor(Bob)", () => {
  const ann = settingsFor({ name: "Ann", settings: { theme: "dark" } });
  const bob = settingsFor({ name: "Bob" });
  assert.strictEqual(ann.theme, "dark");
  assert.strictEqual(bob.theme, "light");
});

test("changed settings", () => {
  const settings = settingsFor({ name: "Dan", settings: { language: "fr" } });
  assert.deepStrictEqual(changedSettings(settings), ["language"]);
});
