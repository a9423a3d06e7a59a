#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/call_scan.h"

namespace pedro {

/// Calls between <tool_call> and </tool_call>, as Hermes, Qwen2.5 and Qwen3 write them, in JSON:
///
///   <tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call>
///
/// or as Qwen3-Coder does, with texts as they are:
///
///   <tool_call><function=f><parameter=x>
///   1
///   </parameter></function></tool_call>
///
/// Either may miss its closing tag, and the second its opening one. Of a parameter's text one
/// newline at each end does not count. A text ends at </parameter>; where that was forgotten, at a
/// line that begins with <parameter=, if that names a parameter of the tool that was not written
/// yet, or with </function>, if nothing but </tool_call> is behind it.
class TagCallReader {
 public:
  /// What ends a parameter's text, as a regular expression, beside </parameter>: a text that is to
  /// be read as it was written does not have it. A "\r" at its end would be taken for a part of a
  /// line end.
  static constexpr std::string_view kEndsText =
      R"((^|\n)<parameter=|(^|\n)<\/function>\s*<\/tool_call>|\r$)";

  void read(ReplyText& reply, CallCollector& out);
  bool found_any() const { return found_any_; }

 private:
  enum class State : std::uint8_t {
    kText,
    kOpened,  // behind <tool_call>
    kJson,
    kBehindJson,  // another one may follow
    kName,        // behind <function=
    kFunction,    // between parameters
    kKey,         // behind <parameter=
    kValue,
    kSkip,
  };

  Step step(ReplyText& reply, CallCollector& out);
  Step find(ReplyText& reply, CallCollector& out);
  Step read_opened(ReplyText& reply, CallCollector& out);
  Step read_json(ReplyText& reply, CallCollector& out);
  Step read_behind_json(ReplyText& reply);
  Step read_name(ReplyText& reply, CallCollector& out);
  Step read_function(ReplyText& reply, CallCollector& out);
  Step read_key(ReplyText& reply, CallCollector& out);
  Step read_value(ReplyText& reply, CallCollector& out);
  Step skip(ReplyText& reply);
  Step read_in_brackets(ReplyText& reply, CallCollector& out, std::string& name, State next);
  Step end_value(ReplyText& reply, std::size_t tag_bytes, State next);
  ReplyText::Look ends_call(const ReplyText& reply);
  ReplyText::Look begins_next(const ReplyText& reply, const KnownTools& tools) const;
  bool at_line_start(const ReplyText& reply) const;
  Step end_call(std::size_t end, CallCollector& out);
  Step reject(CallCollector& out, std::string expected);
  void begin_function(ReplyText& reply);

  MarkerSearch markers_{{"<tool_call>", "<function="}};
  State state_ = State::kText;
  bool found_any_ = false;
  std::size_t begin_ = 0;
  ValueReader value_;
  NameReader name_;
  std::string tool_;
  std::string key_;
  std::size_t text_begin_ = 0;
  std::size_t look_from_ = 0;
  std::size_t end_ = 0;  // of the last tag of the call that is open
  std::vector<std::pair<std::string, std::string>> written_;
};

}  // namespace pedro
