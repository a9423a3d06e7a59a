#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace pedro {

/// How exactly a text names a file. Larger values are more exact.
enum class Naming { kNone, kEnding, kFolder, kName };

/// Returns the way in which a text names the file at `path`: base name, folder in a path, or
/// ending. In commands, a bare word is a path too. Common folders of sources do not count.
///
///     naming_of("for f in cases/*.in; do", "cases/1.want", true)  // kFolder
Naming naming_of(std::string_view text, std::string_view path, bool are_commands);

/// Returns true if the task states an edit of data. Lines change in place. The task has their new
/// words, and a name that stays in each of them.
///
///     is_stated_edit("Oslo,600\n", "Oslo,700\n", "Oslo must be 700.")  // true
bool is_stated_edit(std::string_view before, std::string_view now, std::string_view task);

/// Returns true if each command with this file gives it to a program of the product.
/// `names_program` tells if a text names one.
bool only_feeds_program(std::string_view commands, std::string_view name,
                        const std::function<bool(std::string_view)>& names_program);

/// Returns true if commands search or lint the file at `path`, by one of its folders or a pattern.
/// The file's own name does not count.
///
///     searches("if grep -rn 'eval(' src; then exit 1; fi", "src/app.py")  // true
bool searches(std::string_view commands, std::string_view path);

/// Returns true if code that `before` has and `now` lacks is in `other`, apart from imports.
bool moves_code(std::string_view before, std::string_view now, std::string_view other);

}  // namespace pedro
