#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/shell_text.h"

namespace pedro {

/// The syntax of a program that starts another: `NAME OPTIONS ASSIGNMENTS OPERANDS COMMAND...`.
struct CommandWrapper {
  std::string_view name;
  std::string_view flags = {};       ///< letters of options without a value
  std::string_view valued = {};      ///< letters of options with a value
  std::string_view long_flags = {};  ///< "null|verbose"
  std::string_view long_valued =
      {};                         ///< "signal|kill-after": the value is the next word, or after =
  int operands = 0;               ///< words between options and command
  bool long_with_equals = false;  ///< any option "--NAME=VALUE" is one word
  bool assignments = false;       ///< NAME=VALUE may precede the command
  bool appends = false;           ///< adds words to the command
};

/// Returns the row of a program, or null.
const CommandWrapper* find_wrapper(std::string_view program);

/// The command inside a wrapper.
struct WrappedCommand {
  std::vector<ShellWord> argv;        ///< empty: none
  std::vector<std::string> assigned;  ///< "NAME=VALUE"
  std::string unread;                 ///< why options cannot be parsed, or ""
};
WrappedCommand unwrap(const CommandWrapper& wrapper, std::span<const ShellWord> argv);

}  // namespace pedro
