#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Returns a program that fails as its first action, and that compilers and linters accept as they
/// accept `text`. A check that passes with it does not run the program. In C, the action is before
/// all constructors; only for ELF. Returns "" for other languages and for Java without `main`. Also
/// for JavaScript with `import`, which runs other files first.
///
///     failing_start("t.sh", ". ./lib.sh\n")  // "test -z \"$PATH\" || exit 1\n. ./lib.sh\n"
std::string failing_start(std::string_view path, std::string_view text);

}  // namespace pedro
