#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Returns true for characters of shell variable names (after the first character).
constexpr bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The shell that reads a text. Dialects differ in `[[`, `((`, `time`, `function`.
enum class ShellDialect { kPosix, kBash };

/// A word of a command, with quotes removed.
struct ShellWord {
  std::string text;
  /// False if only the shell determines its value (an expansion, a pattern, braces), which may be
  /// any number of words. `text` is then incomplete.
  bool known = true;

  bool operator==(const ShellWord&) const = default;
};

/// A simple command: program and arguments.
struct ShellCommand {
  std::vector<ShellWord> words;         ///< empty for assignments or redirections alone
  std::vector<std::string> assigned;    ///< before the words: "NAME=VALUE", "NAME" if unknown
  std::optional<ShellWord> input = {};  ///< a here-document or here-string
};

/// A text that a shell reads inside another: between backticks, or a here-document with expansions.
struct NestedText {
  std::string text;
  ShellDialect dialect = ShellDialect::kPosix;
  bool only_expansions = false;  ///< a here-document: only its expansions run
};

/// The contents of a shell text, in order of their start.
struct ShellText {
  std::vector<ShellCommand> commands;  ///< of pipelines, lists, subshells, functions, `$(...)`, ...
  std::vector<NestedText> nested;
  /// The construct that could not be read, or "". Commands before it are listed; more may follow
  /// it.
  std::string problem;
};

constexpr std::size_t kMaxShellBytes = 64 * 1024;

/// Finds all simple commands in a shell text, executed or not. Never finds fewer than the shell:
/// constructs that are unsupported, or differ between shells, are reported as problems. Does not
/// recurse. Limits: 64 nested constructs, 1000 commands, 64 KiB.
ShellText parse_shell_text(const NestedText& text);

}  // namespace pedro
