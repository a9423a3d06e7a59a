#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// A test inside a source file, or a part of one.
struct TestBlock {
  enum class Kind {
    kItem,     ///< an item of Rust's `mod tests`, a test function, a method of a test class
    kExample,  ///< an example of a documentation
    kRegion    ///< a self-test: code under `#ifdef TEST` or `unless (caller)`
  };
  Kind kind = Kind::kItem;
  std::string group;  ///< the first line of the module or class around it; "" if there is none
  std::string text;   ///< its lines without blanks around them, blank lines and comment lines

  bool operator==(const TestBlock&) const = default;
};

/// Returns the tests inside a source file in order. A line-based scan finds:
/// - Rust: items of `#[cfg(test)]` modules, functions with `#[test]`, code of doc comments
/// - Python: methods of test classes, test functions, examples of doctest
/// - self-tests with an assertion: of C, C++, Perl, Ruby, JavaScript, Python, Nim, Julia
/// - `test` of Zig and `unittest` of D
/// None for other files.
std::vector<TestBlock> test_blocks(std::string_view path, std::string_view text);

}  // namespace pedro
