#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "format/json_extent.h"
#include "format/written_call.h"

namespace pedro {

/// Finds where a call `name(…)` of Python ends while it is being written, a byte at a time. Names
/// of at most 256 bytes, 100 brackets within each other.
class PythonExtent {
 public:
  JsonExtent::State take(char c);
  /// What would have fitted instead of the last byte, or could come next.
  std::string_view expected() const;

 private:
  enum class In : std::uint8_t {
    kNothing,      // outside of strings
    kFirstQuote,   // behind it
    kSecondQuote,  // behind it: an empty string, or a third one comes
    kShort,
    kLong,  // three quotes at each end
  };

  bool in_string(char c);
  bool outside(char c);
  bool close(char c);

  std::string open_;
  std::size_t name_bytes_ = 0;
  In in_ = In::kNothing;
  char quote_ = 0;
  bool escaped_ = false;
  int closing_ = 0;  // quotes behind each other in a long string
};

/// Reads `name(key=value, …)`, `name.call(…)` or either within `print(…)`; values are literals:
/// strings, numbers, True, False, None, lists, dicts. What is wrong is a JsonFault.
std::variant<WrittenCall, JsonFault> read_python_call(std::string_view text);

}  // namespace pedro
