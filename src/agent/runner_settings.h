#pragma once

#include <span>
#include <string_view>

#include "agent/script_words.h"

namespace pedro {

/// Names of files in the root with settings of test runners that name tests.
std::span<const std::string_view> runner_settings_files();

/// Adds the tests and plugins that settings of pytest, Jest, Mocha, Vitest, PHPUnit and similar
/// runners name to `words`: `python_files`, `testpaths`, `-p` of `addopts`, `testMatch`. `text` is
/// the file at `path`, in INI, TOML, JSON, YAML or XML.
void add_runner_settings(std::string_view path, std::string_view text, ScriptWords& words);

}  // namespace pedro
