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
/// stands in <arg_value>, blanks included. It ends at </arg_value>; where that was forgotten, at a
/// line that begins with <arg_key>, if that names a parameter of the tool that was not written yet,
/// or with </tool_call>, if nothing or the next call is behind it.
class KeyValueCallReader {
 public:
  void read(ReplyText& reply, CallCollector& out);
  bool found_any() const { return found_any_; }

 private:
  enum class State : std::uint8_t {
    kText,
    kOpened,  // behind <tool_call>
    kName,
    kBetween,  // behind the name or a value
    kKey,      // behind <arg_key>
    kKeyEnd,   // behind </arg_key>
    kValue,    // behind <arg_value>
    kSkip,
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
  ReplyText::Look ends_call(const ReplyText& reply);
  ReplyText::Look begins_next(const ReplyText& reply, const KnownTools& tools) const;
  bool was_written(std::string_view key) const;

  MarkerSearch markers_{{"<tool_call>"}};
  State state_ = State::kText;
  bool found_any_ = false;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;  // of what was read of the call that is open
  NameReader name_;
  std::string tool_;
  std::string key_;
  std::size_t text_begin_ = 0;
  std::size_t look_from_ = 0;
  std::vector<std::pair<std::string, std::string>> written_;
};

}  // namespace pedro
