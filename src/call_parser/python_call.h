#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "call_parser/json_extent.h"
#include "call_parser/written_call.h"

namespace pedro {

/// Finds the end of a call `name(…)` in Python while it is generated, byte by byte. Limits: 256
/// bytes per name, 100 nested brackets.
class PythonExtent {
 public:
  JsonExtent::State take(char c);
  /// The valid input instead of the last byte, or the next one.
  std::string_view expected() const;

 private:
  enum class In : std::uint8_t {
    kNothing,      // outside of strings
    kFirstQuote,   // after the first quote
    kSecondQuote,  // after the second: an empty string, or a third follows
    kShort,
    kLong,  // three quotes at each end
  };

  void read_in_string(char c);
  bool outside(char c);
  bool close(char c);

  std::string open_;
  std::size_t name_bytes_ = 0;
  In in_ = In::kNothing;
  char quote_ = 0;
  bool escaped_ = false;
  int closing_ = 0;  // consecutive quotes at the end of a string
};

/// Reads `name(key=value, …)`, `name.call(…)` or either within `print(…)`. Values are literals:
/// strings, numbers, True, False, None, lists, dicts. Returns a JsonFault for anything else.
std::variant<WrittenCall, JsonFault> read_python_call(std::string_view text);

}  // namespace pedro
