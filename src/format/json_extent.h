#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"

namespace pedro {

/// The most that JSON in a reply may have of anything; more is not JSON.
struct JsonExtentLimits {
  std::size_t max_depth = 100;    ///< of objects and arrays within each other
  std::size_t max_members = 256;  ///< of one object: looking one up costs as many steps
};

/// Finds where a JSON object, array or string ends, with blanks in front of it, while it is being
/// written, a byte at a time, and the first byte that cannot be right. Strings, escapes and
/// brackets are looked at; how numbers and words are spelled, and UTF-8, is left to whoever reads
/// the value.
class JsonExtent {
 public:
  enum class State : std::uint8_t {
    kOpen,    ///< more has to come
    kClosed,  ///< the byte was the value's last
    kBroken   ///< the byte does not fit; see expected()
  };

  explicit JsonExtent(JsonExtentLimits limits = {}) : limits_(limits) {}

  /// The next byte. Nothing may be taken after kClosed or kBroken.
  State take(char c);

  /// What would have fitted instead of the last byte, or could come next: "',' or '}'".
  std::string_view expected() const;
  /// How many bytes were taken, the last one too.
  std::size_t bytes() const { return bytes_; }
  /// Of the value's bytes, where the string began that was last begun; 0 where none was.
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
    kPart,  // behind a value: a comma or a bracket
    kText,
    kEscape,
    kHex,
    kDepth,  // these two: what is broken is a limit
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

/// Why a text is no JSON.
struct JsonFault {
  std::size_t at = 0;  ///< byte of the text
  std::string expected;
  bool ends = false;  ///< the text ends too early
};

/// Reads one value, an object, array or string, that fills the text but for blanks around it,
/// within the limits above: in time that grows with the text only.
std::variant<Json, JsonFault> read_bounded_json(std::string_view text);

}  // namespace pedro
