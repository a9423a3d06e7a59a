#pragma once

#include <string_view>

#include "base/text.h"

namespace pedro {

/// Returns true for a byte of a plain path: a word byte, '.', '/' or '-'.
constexpr bool is_path_byte(char c) {
  return is_word_byte(c) || c == '.' || c == '/' || c == '-';
}

/// Returns true if a text contains one of the listed parts ("|exec|ok|").
bool has_any(std::string_view text, std::string_view parts);

/// Returns the extension of a path with its dot; "" if there is none.
std::string_view extension_of(std::string_view path);

/// Returns true for a script of a shell, by its extension or its first line.
bool is_shell_script(std::string_view path, std::string_view text);

/// Returns true for a build file, a CI workflow or settings of a test runner, linter or git. Tables
/// of names and folders decide; the case of letters does not matter.
bool is_check_definition(std::string_view path);

/// Returns true for an expected output: "golden/a.txt", "__snapshots__/a.snap", "a.approved.txt".
bool is_expected_output(std::string_view path);

/// Returns true for a file that comes before a runner or a target: "pytest.py", "GNUmakefile",
/// "test".
bool shadows_runner(std::string_view path);

/// Returns true if a Python file hides a module of the standard library or of a test runner. `path`
/// is relative to a folder that Python imports from.
bool shadows_module(std::string_view path);

/// Returns true if words or folders in the name of a script point to checks: "ci/all.sh",
/// "lint.py".
bool is_named_check(std::string_view path);

/// Returns true if a file that a definition runs is a script of the checks, not the program. Shell
/// scripts and files without extension are, others by their names.
bool is_check_script(std::string_view path);

}  // namespace pedro
