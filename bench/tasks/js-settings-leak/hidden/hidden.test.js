import test from "node:test";
import assert from "node:assert";
import { DEFAULTS } from "./src/defaults.js";
import { changedSettings, settingsFor } from "./src/settings.js";

const EXPECTED = {
  theme: "light",
  language: "en",
  editor: { tabSize: 4, wrap: true, rulers: [80] },
  sidebar: { visible: true, width: 240 },
};

test("nested settings of Ann", () => {
  const ann = settingsFor({ settings: { theme: "dark", editor: { tabSize: 2, rulers: [100] } } });
  assert.deepStrictEqual(ann, {
    theme: "dark",
    language: "en",
    editor: { tabSize: 2, wrap: true, rulers: [100] },
    sidebar: { visible: true, width: 240 },
  });
  assert.deepStrictEqual(settingsFor({}), EXPECTED);
  assert.deepStrictEqual(DEFAULTS, EXPECTED);
});

test("the result can be changed without changing the defaults", () => {
  const bob = settingsFor({});
  bob.sidebar.width = 1;
  bob.editor.wrap = false;
  bob.theme = "dark";
  assert.deepStrictEqual(settingsFor({}), EXPECTED);
  assert.deepStrictEqual(changedSettings(bob).sort(), ["editor.wrap", "sidebar.width", "theme"]);
});

test("unknown settings are kept", () => {
  assert.deepStrictEqual(settingsFor({ settings: { beta: true } }), { ...EXPECTED, beta: true });
  assert.deepStrictEqual(settingsFor({}), EXPECTED);
});
