#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/call_scan.h"

namespace pedro {

/// Reads calls of GLM since 4.5, Laguna, Ling 3 and Spark 2.5: a name, then keys and values in
/// tags. Texts are not escaped:
///
///   <tool_call>f
///   <arg_key>x</arg_key>
///   <arg_value>1</arg_value>
///   </tool_call>
///
/// The line ends between tags and the last tag are optional. A text includes its blanks. It ends at
/// an </arg_value> that <arg_key>, </tool_call> or the next call follows. If the text contains an
/// <arg_key>, the one after it must name an unused parameter of the tool. Without </arg_value>, a
/// text ends at a line that begins with such an <arg_key>, or with </tool_call> before the next
/// call or the end. An </arg_value> after a call shows that a text was truncated, and rejects all
/// calls.
class KeyValueCallReader {
 public:
  /// Like TagCallReader's member of the same name.
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
    kSpoilt,  // reads nothing more
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
  std::size_t end_ = 0;  // of the part of the open call that was read
  NameReader name_;
  std::string tool_;
  std::string key_;
  std::size_t text_begin_ = 0;
  NextNonBlank after_value_;
  NextNonBlank after_call_;
  bool opens_in_value_ = false;  // an <arg_key> that is part of the value
  bool had_values_ = false;      // an earlier call had values
  std::vector<std::pair<std::string, std::string>> written_;
};

}  // namespace pedro
