export const DEFAULTS = {
  theme: "light",
  language: "en",
  editor: { tabSize: 4, wrap: true, rulers: [80] },
  sidebar: { visible: true, width: 240 },
};
