#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/call_scan.h"

namespace pedro {

/// Calls as GLM writes them since version 4.5, and Laguna, Ling 3 and Spark 2.5 after it: a name,
/// and keys and values in tags, texts as they are:
///
///   <tool_call>f
///   <arg_key>x</arg_key>
///   <arg_value>1</arg_value>
///   </tool_call>
///
/// with or without the line ends between tags. The last tag may be missing. A text is all that
/// stands in <arg_value>, blanks included. It ends at </arg_value>, if the call goes on after it:
/// with <arg_key>, </tool_call> or the next call. If the text contains an <arg_key>, the next one
/// has to name a parameter of the tool that was not written yet. Where </arg_value> was forgotten,
/// a text ends at a line that begins with such an <arg_key>, or with </tool_call>, if nothing or
/// the next call is after it. An </arg_value> after a call shows that a text was cut: then no
/// call counts.
class KeyValueCallReader {
 public:
  /// As in TagCallReader.
  static constexpr std::string_view kEndsValue =
      R"(<\/arg_value>[ \t\r\n]*(<arg_key>|<\/tool_call>))";
  static constexpr std::string_view kEndsText = R"(\n<arg_key>)";

  void read(ReplyText& reply, CallCollector& out);
  bool found_any() const { return found_any_; }

 private:
  enum class State : std::uint8_t {
    kText,
    kOpened,  // after <tool_call>
    kName,
    kBetween,  // after the name or a value
    kKey,      // after <arg_key>
    kKeyEnd,   // after </arg_key>
    kValue,    // after <arg_value>
    kSkip,
    kSpoilt,  // nothing more is read
  };

  Step step(ReplyText& reply, CallCollector& out);
  Step find(ReplyText& reply, CallCollector& out);
  Step read_opened(ReplyText& reply, CallCollector& out);
  Step read_name(ReplyText& reply, CallCollector& out);
  Step read_between(ReplyText& reply, CallCollector& out);
  Step read_key(ReplyText& reply, CallCollector& out);
  Step read_key_end(ReplyText& reply, CallCollector& out);
  Step read_value(ReplyText& reply, CallCollector& out);
  Step skip(ReplyText& reply);
  Step end_value(ReplyText& reply, std::size_t tag_bytes);
  Step end_call(std::size_t end, CallCollector& out);
  Step reject(CallCollector& out, std::string expected);
  ReplyText::Look ends_value(const ReplyText& reply, const KnownTools& tools);
  ReplyText::Look ends_call(const ReplyText& reply);
  ReplyText::Look begins_next(const ReplyText& reply, std::size_t at,
                              const KnownTools& tools) const;
  bool was_written(std::string_view key) const;

  MarkerSearch markers_{{"<tool_call>", "</arg_value>"}};
  State state_ = State::kText;
  bool found_any_ = false;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;  // of what was read of the call that is open
  NameReader name_;
  std::string tool_;
  std::string key_;
  std::size_t text_begin_ = 0;
  NextNonBlank after_value_;
  NextNonBlank after_call_;
  bool opens_in_value_ = false;  // an <arg_key> that is part of the value
  bool had_values_ = false;      // a call before had
  std::vector<std::pair<std::string, std::string>> written_;
};

}  // namespace pedro
