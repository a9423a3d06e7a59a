#pragma once

#include <span>
#include <string_view>

namespace pedro {

/// An example of a command's use. Help, man pages and the reference pages print it; a test runs it.
struct Example {
  std::string_view command;       ///< "grammar check"; "": the program itself
  std::string_view line;          ///< a line for a shell
  std::string_view comment = {};  ///< "" if the line says it all
};

/// Returns the examples of a command, at least two. They are adjacent in the table.
std::span<const Example> examples_of(std::string_view command);

/// Returns all examples, by command.
std::span<const Example> all_examples();

}  // namespace pedro
