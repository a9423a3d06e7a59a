#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "call_parser/reply_text.h"

namespace pedro {

class CallCollector;

/// Texts of a call that follow it verbatim instead of in its JSON, so code needs no escapes. Each
/// is a block of lines.
///
///   <<<RAW content
///   first line
///     "second" line
///   RAW>>>
///
/// The text is everything between the first and last line. It excludes the line end before the
/// last. It can be any text without a line RAW>>>. No language has such a line: an operator would
/// lack its right side. Block names come first or have quotes. Texts about the format can indent
/// it.
namespace raw_body {
inline constexpr std::string_view kOpen = "<<<RAW ";
inline constexpr std::string_view kClose = "RAW>>>";
/// Matches what a text cannot contain, as a regular expression: a closing line.
inline constexpr std::string_view kEndsText = R"((^|\n)RAW>>>[ \t\r]*(\n|$))";
}  // namespace raw_body

/// Reads such a block while it is generated, and passes it to the collector.
class RawBodyReader {
 public:
  /// Returns true while a block is incomplete.
  bool is_open() const { return open_; }
  /// Starts a block at reply.at, which is kOpen.
  void begin(const ReplyText& reply);
  /// Continues reading; returns false if more bytes are needed. If the last call has no such
  /// parameter, reads only kOpen, which is then text.
  bool read(ReplyText& reply, CallCollector& out);

 private:
  bool read_name(ReplyText& reply, CallCollector& out);
  ReplyText::Look closes(const ReplyText& reply, std::size_t at);

  bool open_ = false;
  std::size_t begin_ = 0;
  std::size_t text_begin_ = 0;  // 0: the first line is incomplete
  std::size_t look_from_ = 0;   // search position of the line end
  NextNonBlank after_close_{" \t\r"};
  std::string name_;
};

}  // namespace pedro
