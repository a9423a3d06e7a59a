import { DEFAULTS } from "./defaults.js";

function isGroup(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Copies the values of `source` into `target`, group by group, and returns `target`. */
function merge(target, source) {
  for (const [key, value] of Object.entries(source)) {
    if (isGroup(value) && isGroup(target[key])) {
      merge(target[key], value);
    } else {
      target[key] = value;
    }
  }
  return target;
}

/** The settings of a user: the saved values, and the defaults for everything else. */
export function settingsFor(user) {
  return merge({ ...DEFAULTS }, user.settings ?? {});
}

/** The names of the settings that differ from the defaults, for the settings page. */
export function changedSettings(settings, defaults = DEFAULTS, prefix = "") {
  return Object.entries(settings).flatMap(([key, value]) => {
    if (isGroup(value) && isGroup(defaults[key])) {
      return changedSettings(value, defaults[key], `${prefix}${key}.`);
    }
    return JSON.stringify(value) === JSON.stringify(defaults[key]) ? [] : [prefix + key];
  });
}
