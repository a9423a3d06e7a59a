#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/call_scan.h"

namespace pedro {

/// Reads calls between <tool_call> and </tool_call>. Hermes, Qwen2.5 and Qwen3 write JSON:
///
///   <tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call>
///
/// Qwen3-Coder writes tags, and does not escape texts:
///
///   <tool_call><function=f><parameter=x>
///   1
///   </parameter></function></tool_call>
///
/// </tool_call> is optional, and so is <tool_call> before <function=. One newline at each end does
/// not belong to a text. A text ends at a </parameter> that <parameter=, </function> or
/// </tool_call> follows. If the text contains a <parameter=, the one after it must name an unused
/// parameter of the tool. Without </parameter>, a text ends at a line that begins with such a
/// <parameter=, or with </function> before </tool_call> or the end. A </parameter> after a call
/// shows that a text was truncated, and rejects all calls.
class TagCallReader {
 public:
  /// Regular expression for the texts that end a parameter's value. Omits rare ones, which keeps
  /// the grammar small; the reader refuses calls with them.
  static constexpr std::string_view kEndsValue =
      R"(<\/parameter>[ \t\r\n]*<parameter=|<\/function>[ \t\r\n]*<\/tool_call>)";
  /// Additional ends for text values. A trailing "\r" would become part of a line end.
  static constexpr std::string_view kEndsText = R"(^<\/parameter>|(^|\n)<parameter=|\r$)";

  void read(ReplyText& reply, CallCollector& out);
  bool found_any() const { return found_any_; }

 private:
  enum class State : std::uint8_t {
    kText,
    kOpened,  // after <tool_call>
    kJson,
    kBehindJson,  // another one may follow
    kName,        // after <function=
    kFunction,    // between parameters
    kKey,         // after <parameter=
    kValue,
    kSkip,
    kSpoilt,  // reads nothing more
  };

  Step step(ReplyText& reply, CallCollector& out);
  Step find(ReplyText& reply, CallCollector& out);
  Step read_opened(ReplyText& reply, CallCollector& out);
  Step read_json(ReplyText& reply, CallCollector& out);
  Step read_after_json(ReplyText& reply);
  Step read_name(ReplyText& reply, CallCollector& out);
  Step read_function(ReplyText& reply, CallCollector& out);
  Step read_key(ReplyText& reply, CallCollector& out);
  Step read_value(ReplyText& reply, CallCollector& out);
  Step skip(ReplyText& reply);
  Step read_in_brackets(ReplyText& reply, CallCollector& out, std::string& name, State next);
  Step end_value(ReplyText& reply, std::size_t tag_bytes, State next);
  ReplyText::Look ends_value(const ReplyText& reply, const KnownTools& tools);
  ReplyText::Look ends_call(const ReplyText& reply, std::size_t at,
                            std::span<const std::string_view> after);
  ReplyText::Look begins_next(const ReplyText& reply, std::size_t at,
                              const KnownTools& tools) const;
  bool at_line_start(const ReplyText& reply) const;
  Step end_call(std::size_t end, CallCollector& out);
  Step reject(CallCollector& out, std::string expected);
  void begin_function(ReplyText& reply);

  MarkerSearch markers_{{"<tool_call>", "<function=", "</parameter>"}};
  State state_ = State::kText;
  bool found_any_ = false;
  std::size_t begin_ = 0;
  ValueReader value_;
  NameReader name_;
  std::string tool_;
  std::string key_;
  std::size_t text_begin_ = 0;
  NextNonBlank after_value_;
  NextNonBlank after_function_;
  bool opens_in_value_ = false;   // a <parameter= that is part of the value
  bool had_values_ = false;       // an earlier call had values
  std::size_t end_ = 0;           // end of the last tag in the open call
  std::size_t function_end_ = 0;  // end of the </tool_call> after </function>; 0 if there is none
  std::vector<std::pair<std::string, std::string>> written_;
};

}  // namespace pedro
