#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace pedro {

/// How exactly a text names a file. Larger values are more exact.
enum class Naming { kNone, kEnding, kFolder, kName };

/// Returns how exactly a text names the file at `path`: its base name, one of its folders as a part
/// of a path, or its ending. In commands, a bare word is a path too. Folders with the names of
/// common source folders do not count.
///
///     naming_of("for f in cases/*.in; do", "cases/1.want", true)  // kFolder
Naming naming_of(std::string_view text, std::string_view path, bool are_commands);

/// Returns true if an edit of data is stated in the task: lines change in place, and the task has
/// their new words and a name that stays in each line.
///
///     is_stated_edit("Oslo,600\n", "Oslo,700\n", "Oslo must be 700.")  // true
bool is_stated_edit(std::string_view before, std::string_view now, std::string_view task);

/// Returns true if each command with this file gives it to a program of the product, so that it
/// compares nothing with it.
bool only_feeds_program(std::string_view commands, std::string_view name,
                        const std::function<bool(std::string_view)>& names_program);

}  // namespace pedro
