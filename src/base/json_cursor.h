#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

struct JsonCursorLimits {
  std::size_t max_depth = 128;              ///< deeper nesting is rejected
  std::size_t max_text_bytes = 64U << 10U;  ///< for names and strings that are read; not skipped
};

/// Reads untrusted JSON sequentially without a tree, for files too large for one. Its state is a
/// position and one string. A copy is therefore a bookmark: made before skip(), it can read that
/// value later.
///
///   json.enter_object();
///   while (auto name = json.next_member()) {
///     if (*name == "id") { id = json.integer(); } else { json.skip(); }
///   }
///   if (json.failed()) return json.error();  // One check is enough.
///
/// Keeps the first error; all later calls do nothing. The error (kConfig) is "line:column: reason";
/// both are 1-based, columns are in bytes. Accepts exactly RFC 8259, after an optional byte order
/// mark. Strings must be well-formed UTF-8.
class JsonCursor {
 public:
  enum class Kind : std::uint8_t { kNothing, kObject, kArray, kText, kNumber, kTruth, kNull };

  /// `text` must outlive the cursor and its copies.
  explicit JsonCursor(std::string_view text, const JsonCursorLimits& limits = {});

  /// The kind of the next value. Does not consume it.
  Kind kind();

  /// Enters the next object or array. Returns false if the next value has another type.
  bool enter_object();
  bool enter_array();

  /// Returns the name of the next member. Its value must be read or skipped before the next call.
  /// Returns nothing at the end of the object and leaves the object. Valid until the next name or
  /// string is read.
  std::optional<std::string_view> next_member();
  /// Returns true if there is another element, which must be read or skipped. Otherwise leaves the
  /// array.
  bool next_element();

  /// Reads the next value, a string. Valid until the next name or string is read.
  std::optional<std::string_view> text();
  std::optional<std::int64_t> integer();
  std::optional<bool> truth();

  struct Skipped {
    std::string_view text;  ///< the value as written
    std::size_t parts = 0;  ///< members of the object or elements of the array
  };
  /// Skips the next value of any type.
  std::optional<Skipped> skip();

  /// Checks that only whitespace remains.
  Status finish();

  /// Fails with "expected `what`, got a number" for the next value, or "got the end of the text".
  void fail_expecting(std::string_view what);
  /// Fails with `message` at the position of the last read value.
  void fail(std::string message);
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }

 private:
  bool enter(char bracket, std::string_view what);
  bool next_part();
  void skip_blanks();
  bool skip_name();
  bool skip_colon();
  bool skip_scalar();
  bool skip_string();
  bool skip_number();
  bool skip_word(std::string_view word);
  void fail_at(std::size_t at, std::string message);
  void fail_here(std::string expected);
  std::optional<std::string_view> unescaped(std::size_t from, std::size_t end);

  std::string_view text_;
  JsonCursorLimits limits_;
  std::size_t at_ = 0;
  std::size_t last_ = 0;  // start of the last read value
  bool first_ = true;     // no part of the innermost container has been read yet
  std::string open_;      // opening brackets around the position
  std::string buffer_;    // the last string with escapes
  std::optional<Error> error_;
};

}  // namespace pedro
