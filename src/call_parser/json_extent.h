#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"

namespace pedro {

/// Limits of JSON in a reply; a text that exceeds them is not JSON.
struct JsonExtentLimits {
  std::size_t max_depth = 100;    ///< of nested objects and arrays
  std::size_t max_members = 256;  ///< of one object; a lookup takes linear time
};

/// Reads a JSON object, array or string byte by byte while it is generated. Finds its end or its
/// first invalid byte. Blanks may precede the value. Checks strings, escapes and brackets. The
/// reader of the value checks UTF-8 and the spelling of numbers and words.
class JsonExtent {
 public:
  enum class State : std::uint8_t {
    kOpen,    ///< needs more bytes
    kClosed,  ///< the byte ended the value
    kBroken   ///< the byte is invalid; see expected()
  };

  explicit JsonExtent(JsonExtentLimits limits = {}) : limits_(limits) {}

  /// Reads the next byte. Do not call it after kClosed or kBroken.
  State take(char c);

  /// The valid input instead of the last byte, or the next one: "',' or '}'".
  std::string_view expected() const;
  /// The number of bytes read, with the last one.
  std::size_t bytes() const { return bytes_; }
  /// The offset of the last string's start in the value; 0 if there was none.
  std::size_t last_string() const { return last_string_; }

 private:
  enum class Next : std::uint8_t {
    kStart,
    kFirstName,
    kName,
    kColon,
    kFirstElement,
    kValue,
    kWord,
    kPart,  // after a value: a comma or a bracket
    kText,
    kEscape,
    kHex,
    kDepth,  // this and the next: a limit was exceeded
    kMembers,
  };
  struct Frame {
    char bracket;
    std::size_t members = 0;
  };

  bool step(char c);
  bool begin_value(char c);
  bool open(char c);
  bool close(char c);
  bool in_text(char c);
  bool behind_value(char c);
  bool begin_name();
  bool fails_with(Next limit);

  JsonExtentLimits limits_;
  std::vector<Frame> open_;
  Next next_ = Next::kStart;
  bool name_ = false;  // the string is a member's name
  bool done_ = false;
  int hex_left_ = 0;
  std::size_t bytes_ = 0;
  std::size_t last_string_ = 0;
};

/// The reason why a text is not JSON.
struct JsonFault {
  std::size_t at = 0;  ///< byte offset in the text
  std::string expected;
  bool ends = false;  ///< the text ends too early
};

/// Reads one object, array or string that fills the text, except for blanks around it. Applies the
/// limits above; takes linear time.
std::variant<Json, JsonFault> read_bounded_json(std::string_view text);

}  // namespace pedro
