#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "format/reply_text.h"

namespace pedro {

class CallCollector;

/// Texts of a call that stand behind it instead of in its JSON, as they are, so that code needs no
/// escapes. Each is a block of lines:
///
///   <<<RAW content
///   first line
///     "second" line
///   RAW>>>
///
/// The text is what stands between the first line and the last, without the line end in front of
/// the last. It can be any but one with a line RAW>>>: no language has a line that is nothing but
/// that (an operator that has no right side; names of blocks are elsewhere in front or in quotes),
/// and who writes about it can indent it.
namespace raw_body {
inline constexpr std::string_view kOpen = "<<<RAW ";
inline constexpr std::string_view kClose = "RAW>>>";
/// What a text cannot have, as a regular expression: a closing line.
inline constexpr std::string_view kEndsText = R"((^|\n)RAW>>>[ \t\r]*(\n|$))";
}  // namespace raw_body

/// Reads such a block while it is being written, and gives it to the collector.
class RawBodyReader {
 public:
  /// A block is open, and not read yet.
  bool is_open() const { return open_; }
  /// kOpen stands in front.
  void begin(const ReplyText& reply);
  /// Reads on; false where more has to come. Where the last call has no such parameter, nothing
  /// but kOpen is read: it is text.
  bool read(ReplyText& reply, CallCollector& out);

 private:
  bool read_name(ReplyText& reply, CallCollector& out);
  ReplyText::Look closes(const ReplyText& reply, std::size_t at) const;

  bool open_ = false;
  std::size_t begin_ = 0;
  std::size_t text_begin_ = 0;  // 0: the first line is not read yet
  std::size_t look_from_ = 0;   // for the end of the line
  std::string name_;
};

}  // namespace pedro
