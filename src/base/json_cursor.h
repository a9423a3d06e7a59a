#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pedro {

struct JsonCursorLimits {
  std::size_t max_depth = 128;              ///< deeper nesting is refused
  std::size_t max_text_bytes = 64U << 10U;  ///< of a name or a string that is read; not skipped
};

/// Reads hostile JSON from front to back without making a tree of it, for files that are too large
/// for one. It keeps nothing but its place and one string, so a copy is a bookmark: made before
/// skip(), it reads that value later.
///
///   json.enter_object();
///   while (const auto name = json.next_member()) {
///     if (*name == "id") { id = json.integer(); } else { json.skip(); }
///   }
///   if (json.failed()) return json.error();
///
/// The first thing that is wrong is kept, and all calls after it do nothing: it is enough to look
/// once. The error (kind kConfig) is "line:column: what is wrong", both 1-based, columns in bytes.
/// What it reads is all of RFC 8259 and nothing more; strings are well-formed UTF-8.
class JsonCursor {
 public:
  enum class Kind : std::uint8_t { kNothing, kObject, kArray, kText, kNumber, kTruth, kNull };

  /// `text` has to outlive the cursor and its copies.
  explicit JsonCursor(std::string_view text, const JsonCursorLimits& limits = {});

  /// Of the value that comes next.
  Kind kind();

  /// Into the object or array that comes next; false where something else does.
  bool enter_object();
  bool enter_array();

  /// The name of the next member, whose value has to be read or skipped before the next call;
  /// nothing at the end of the object, which is then behind. Valid until a string is read.
  std::optional<std::string_view> next_member();
  /// Whether there is another element, to be read or skipped; otherwise the array is behind.
  bool next_element();

  /// The string that comes next. Valid until the next name or string is read.
  std::optional<std::string_view> text();
  std::optional<std::int64_t> integer();
  std::optional<bool> truth();

  struct Skipped {
    std::string_view text;  ///< the value as it is written
    std::size_t parts = 0;  ///< members of an object, elements of an array
  };
  /// Past the value that comes next, whatever it is.
  std::optional<Skipped> skip();

  /// Nothing but blanks may be left.
  Status finish();

  /// "expected `what`, got a number", or "got the end of the text", of the value that comes next.
  void fail_expecting(std::string_view what);
  /// `message` about the place of what was last read.
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
  std::size_t last_ = 0;  // where what was last read begins
  bool first_ = true;     // no part of the innermost container has been read yet
  std::string open_;      // the brackets around the place
  std::string buffer_;    // the last string that had escapes
  std::optional<Error> error_;
};

}  // namespace pedro
