#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "call_parser/call_reader.h"
#include "call_parser/call_scan.h"

namespace pedro {
namespace {

// The tags of a syntax. The heads of calls and parameters end with '>'.
struct TagDialect {
  std::string_view blocks[2];  // around one or more calls; "" for none
  std::string_view block_ends[2];
  std::string_view call;
  std::string_view call_end;
  std::string_view parameter;
  std::string_view parameter_end;
  bool on_lines = false;    // a line end at each end of a value is not part of it
  bool is_token = false;    // other texts than calls do not contain the tags
  bool has_quotes = false;  // heads have quoted names, and perhaps string="true" or "false"
};

constexpr TagDialect kFunctionTags[] = {{
    .blocks = {kToolCall, kToolCall},
    .block_ends = {kToolCallEnd, kToolCallEnd},
    .call = "<function=",
    .call_end = "</function>",
    .parameter = "<parameter=",
    .parameter_end = "</parameter>",
    .on_lines = true,
}};

constexpr TagDialect kInvokeTags[] = {
    {.blocks = {"<minimax:tool_call>", "<function_calls>"},
     .block_ends = {"</minimax:tool_call>", "</function_calls>"},
     .call = "<invoke name=",
     .call_end = "</invoke>",
     .parameter = "<parameter name=",
     .parameter_end = "</parameter>",
     .has_quotes = true},
    {.blocks = {"<｜DSML｜tool_calls>", "<｜DSML｜function_calls>"},
     .block_ends = {"</｜DSML｜tool_calls>", "</｜DSML｜function_calls>"},
     .call = "<｜DSML｜invoke name=",
     .call_end = "</｜DSML｜invoke>",
     .parameter = "<｜DSML｜parameter name=",
     .parameter_end = "</｜DSML｜parameter>",
     .is_token = true,
     .has_quotes = true},
    {.blocks = {"<|DSML|tool_calls>", "<|DSML|function_calls>"},
     .block_ends = {"</|DSML|tool_calls>", "</|DSML|function_calls>"},
     .call = "<|DSML|invoke name=",
     .call_end = "</|DSML|invoke>",
     .parameter = "<|DSML|parameter name=",
     .parameter_end = "</|DSML|parameter>",
     .is_token = true,
     .has_quotes = true},
};

// The markers of each dialect: blocks, a call, the end of a parameter.
constexpr std::size_t kMarkersOfDialect = 4;

std::vector<std::string_view> markers_of(std::span<const TagDialect> dialects) {
  std::vector<std::string_view> all;
  for (const TagDialect& one : dialects) {
    all.insert(all.end(), {one.blocks[0], one.blocks[1], one.call, one.parameter_end});
  }
  return all;
}

using Look = ReplyText::Look;

/// The head of a call or a parameter, without its '>'.
struct TagHead {
  std::string_view name;  // "": the head is wrong
  bool is_json = false;   // string="false"
  bool is_empty = false;  // ends with '/': no parameters follow
};

// Reads a head with a quoted name: "NAME", "NAME" string="true", "NAME"/.
TagHead quoted_head(std::string_view head) {
  head = trim(head);
  const std::size_t end = head.size() < 2 ? std::string_view::npos : head.find(head.front(), 1);
  if (end == std::string_view::npos || (head.front() != '"' && head.front() != '\'')) return {};
  TagHead read{trim(head.substr(1, end - 1))};
  std::string_view rest = trim(head.substr(end + 1));
  read.is_empty = rest.ends_with('/');
  if (read.is_empty) rest = trim(rest.substr(0, rest.size() - 1));
  read.is_json = rest == R"(string="false")";
  return rest.empty() || read.is_json || rest == R"(string="true")" ? read : TagHead{};
}

std::string_view without_newlines(std::string_view text) {
  if (text.starts_with("\r\n")) text.remove_prefix(1);
  if (text.starts_with('\n')) text.remove_prefix(1);
  if (text.ends_with('\n')) {
    text.remove_suffix(1);
    if (text.ends_with('\r')) text.remove_suffix(1);
  }
  return text;
}

/// Reads calls whose parameters are in tags, and whose texts are not escaped. Qwen3-Coder:
///
///   <tool_call><function=f><parameter=x>
///   1
///   </parameter></function></tool_call>
///
/// Hermes, Qwen2.5 and Qwen3 write JSON: <tool_call>{"name": "f", "arguments": {…}}</tool_call>.
///
/// DeepSeek since V3.2 has the tags of MiniMax with a prefix, and an attribute. MiniMax M2 and
/// DeepSeek:
///
///   <minimax:tool_call><invoke name="f">
///   <parameter name="x">1</parameter>
///   </invoke></minimax:tool_call>
///
///   `<｜DSML｜parameter name="x" string="false">1</｜DSML｜parameter>`.
///
/// The tags around calls are optional. In Qwen's, one line end at each end does not belong to a
/// text. A text ends at a </parameter> that <parameter, </function> or </tool_call> follows. If the
/// text contains a <parameter, the one after it must name an unused parameter of the tool. Without
/// </parameter>, a text ends at a line that begins with such a <parameter. A line that begins with
/// </function> before </tool_call> or the end also ends it. A </parameter> after a call shows that
/// a text was truncated, and rejects all calls.
class TagCallReader : public StateReader<TagCallReader> {
 public:
  explicit TagCallReader(std::span<const TagDialect> dialects)
      : StateReader(&TagCallReader::find),
        dialects_(dialects),
        tags_(&dialects.front()),
        markers_(markers_of(dialects)) {}

 private:
  Step find(ReplyText& reply, CallCollector& out);
  Step read_opened(ReplyText& reply, CallCollector& out);  // after <tool_call>
  Step read_json(ReplyText& reply, CallCollector& out);
  Step read_after_json(ReplyText& reply, CallCollector& out);  // another one may follow
  Step read_name(ReplyText& reply, CallCollector& out);        // after <function=
  Step read_function(ReplyText& reply, CallCollector& out);    // between parameters
  Step read_key(ReplyText& reply, CallCollector& out);         // after <parameter=
  Step read_value(ReplyText& reply, CallCollector& out);
  Step read_head(ReplyText& reply, CallCollector& out, State next);
  TagHead head_of(std::string_view text) const;
  Step end_value(ReplyText& reply, bool closed);
  ReplyText::Look ends_value(const ReplyText& reply, const KnownTools& tools);
  ReplyText::Look ends_call(const ReplyText& reply, std::size_t at,
                            std::span<const std::string_view> after);
  ReplyText::Look begins_next(const ReplyText& reply, std::size_t at,
                              const KnownTools& tools) const;
  bool at_line_start(const ReplyText& reply) const;
  Step end_call(std::size_t end, CallCollector& out);
  std::string parameter_or_end() const {
    return fmt::format("{} or {}", tags_->parameter, tags_->call_end);
  }
  void begin_function(ReplyText& reply);

  std::span<const TagDialect> dialects_;
  const TagDialect* tags_;  // of the call
  MarkerSearch markers_;
  ValueReader value_;
  NameReader name_;
  std::string tool_;
  WrittenArgument argument_;  // being read
  TagHead head_;
  std::size_t text_begin_ = 0;
  NextNonBlank after_value_;
  NextNonBlank after_function_;
  bool opens_in_value_ = false;   // a <parameter= that is part of the value
  bool had_values_ = false;       // an earlier call had values
  std::size_t end_ = 0;           // end of the last tag in the open call
  std::size_t function_end_ = 0;  // end of the </tool_call> after </function>; 0 if there is none
  std::vector<WrittenArgument> written_;
};

Step TagCallReader::find(ReplyText& reply, CallCollector& out) {
  const int found = markers_.next(reply, out);
  if (found < 0) return Step::kWait;
  tags_ = &dialects_[static_cast<std::size_t>(found) / kMarkersOfDialect];
  const std::size_t marker = static_cast<std::size_t>(found) % kMarkersOfDialect;
  if (marker == 3) {
    if (had_values_) {
      out.reject_calls(reply.at, fmt::format("no {} after a call", tags_->parameter_end));
      state_ = &TagCallReader::ignore_rest;
    }
    reply.at += tags_->parameter_end.size();
    return Step::kOn;
  }
  found_any_ = true;
  begin_ = reply.at;
  ends_ = {tags_->block_ends[0], tags_->block_ends[1], tags_->blocks[0], tags_->blocks[1]};
  if (marker == 2) {
    begin_function(reply);
  } else {
    reply.at += tags_->blocks[marker].size();
    state_ = &TagCallReader::read_opened;
  }
  return Step::kOn;
}

void TagCallReader::begin_function(ReplyText& reply) {
  reply.at += tags_->call.size();
  name_.begin(reply);
  written_.clear();
  function_end_ = 0;
  state_ = &TagCallReader::read_name;
}

Step TagCallReader::read_opened(ReplyText& reply, CallCollector& out) {
  const std::string expected = fmt::format("'{{' or {}", tags_->call);
  if (!reply.skip_blanks()) return reject_at_end(reply, out, expected);
  const std::array<std::string_view, 4> next = {tags_->call, "{", tags_->blocks[0],
                                                tags_->blocks[1]};
  switch (look_at_any(reply, next)) {
    case -2:
      return Step::kWait;
    case 0:
      begin_function(reply);
      return Step::kOn;
    case 1:
      value_.begin(reply, begin_);
      return go(&TagCallReader::read_json);
    case 2:
    case 3:
      state_ = &TagCallReader::find;  // the tag was written twice
      return Step::kOn;
    default:
      return reject(out, expected);
  }
}

Step TagCallReader::read_json(ReplyText& reply, CallCollector& out) {
  const ValueReader::State state = value_.read(reply, out);
  if (state == ValueReader::State::kMore) return Step::kWait;
  state_ = &TagCallReader::skip;
  if (state == ValueReader::State::kRead) {
    out.add_value(value_.where(), value_.value(), CallMark::kMarker);
    state_ = &TagCallReader::read_after_json;
  }
  return Step::kOn;
}

Step TagCallReader::read_after_json(ReplyText& reply, CallCollector&) {
  if (!reply.skip_blanks()) return Step::kWait;
  state_ = &TagCallReader::find;
  if (reply.rest().starts_with('{')) {
    begin_ = reply.at;
    value_.begin(reply, begin_);
    state_ = &TagCallReader::read_json;
  }
  return Step::kOn;
}

TagHead TagCallReader::head_of(std::string_view text) const {
  return tags_->has_quotes ? quoted_head(text) : TagHead{trim(text)};
}

// Reads a head up to '>'.
Step TagCallReader::read_head(ReplyText& reply, CallCollector& out, State next) {
  if (!name_.read(reply, ">\n<")) {
    if (!reply.at_edge() || name_.too_long(reply) || reply.ended()) {
      return reject(out, "'>' after the name");
    }
    return Step::kWait;
  }
  const std::string_view text = name_.name(reply);
  head_ = head_of(text);
  if (text.empty() || reply.text()[reply.at] != '>') {
    return reject(out, text.empty() ? "a name" : "'>' after the name");
  }
  if (head_.name.empty()) return reject(out, "a name in quotes");
  ++reply.at;
  return go(next);
}

Step TagCallReader::read_name(ReplyText& reply, CallCollector& out) {
  const Step step = read_head(reply, out, &TagCallReader::read_function);
  end_ = reply.at;
  if (state_ != &TagCallReader::read_function) return step;
  tool_ = head_.name;
  return head_.is_empty ? end_call(end_, out) : step;
}

Step TagCallReader::end_call(std::size_t end, CallCollector& out) {
  out.add_call({begin_, end}, {tool_, "", out.tools().typed(tool_, written_)});
  had_values_ = had_values_ || !written_.empty();
  return go(&TagCallReader::find);
}

Step TagCallReader::read_function(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks()) {
    if (!reply.ended()) return Step::kWait;
    if (!written_.empty()) return end_call(end_, out);
    return reject(out, parameter_or_end());
  }
  const std::array<std::string_view, 7> next = {
      tags_->parameter, tags_->call_end,  tags_->block_ends[0], tags_->block_ends[1],
      tags_->blocks[0], tags_->blocks[1], tags_->call};
  const int found = look_at_any(reply, next);
  switch (found) {
    case -2:
      return Step::kWait;
    case 0:
      if (written_.size() >= kMaxParameters) return reject(out, "fewer parameters");
      reply.at += tags_->parameter.size();
      name_.begin(reply);
      return go(&TagCallReader::read_key);
    case 1:
      reply.at = std::max(reply.at + tags_->call_end.size(), function_end_);
      return end_call(reply.at, out);
    case 2:
    case 3:
      reply.at += next[static_cast<std::size_t>(found)].size();
      return end_call(reply.at, out);
    case 4:
    case 5:
    case 6:
      return end_call(end_, out);
    default:
      return reject(out, parameter_or_end());
  }
}

Step TagCallReader::read_key(ReplyText& reply, CallCollector& out) {
  const Step step = read_head(reply, out, &TagCallReader::read_value);
  text_begin_ = reply.at;
  opens_in_value_ = false;
  if (state_ != &TagCallReader::read_value) return step;
  argument_ = {std::string(head_.name), "", head_.is_json};
  if (!was_written(written_, argument_.name)) return step;
  --reply.at;
  return reject(out, "each parameter once");
}

bool TagCallReader::at_line_start(const ReplyText& reply) const {
  return reply.at == text_begin_ || reply.text()[reply.at - 1] == '\n';
}

// Returns kYes if "</function>" at byte `at` ends the call: another call, a closing tag or the end
// follows.
Look TagCallReader::ends_call(const ReplyText& reply, std::size_t at,
                              std::span<const std::string_view> after) {
  at = after_function_.find(reply, at + tags_->call_end.size());
  if (at == reply.text().size()) return reply.ended() ? Look::kYes : Look::kMore;
  const int found = look_at_any(reply, at, after);
  if (found == -2) return Look::kMore;
  if (found >= 0) {
    const std::string_view next = after[static_cast<std::size_t>(found)];
    function_end_ = next == tags_->call ? 0 : at + next.size();
  }
  return found >= 0 ? Look::kYes : Look::kNo;
}

// Returns kYes if the call continues after "</parameter>". Accepts any name in the next
// "<parameter=", unless the value itself contains a "<parameter=".
Look TagCallReader::ends_value(const ReplyText& reply, const KnownTools& tools) {
  const std::array<std::string_view, 4> next = {tags_->parameter, tags_->call_end,
                                                tags_->block_ends[0], tags_->block_ends[1]};
  const std::array<std::string_view, 3> after = {tags_->block_ends[0], tags_->block_ends[1],
                                                 tags_->call};
  const std::size_t at = after_value_.find(reply, reply.at + tags_->parameter_end.size());
  if (at == reply.text().size()) return reply.ended() ? Look::kYes : Look::kMore;
  switch (look_at_any(reply, at, next)) {
    case -2:
      return Look::kMore;
    case 0:
      return opens_in_value_ && !tools.empty() ? begins_next(reply, at, tools) : Look::kYes;
    case 1:
      return tags_->is_token ? Look::kYes : ends_call(reply, at, after);
    case 2:
    case 3:
      return Look::kYes;
    default:
      return Look::kNo;
  }
}

// Returns kYes if the "<parameter" at byte `at` begins another parameter of the tool.
Look TagCallReader::begins_next(const ReplyText& reply, std::size_t at,
                                const KnownTools& tools) const {
  const std::string_view after =
      reply.text().substr(at + tags_->parameter.size(), NameReader::kMaxBytes + 1);
  const std::size_t end = after.find_first_of(">\n");
  if (end == std::string_view::npos) {
    return reply.ended() || after.size() > NameReader::kMaxBytes ? Look::kNo : Look::kMore;
  }
  const std::string_view name = head_of(after.substr(0, end)).name;
  const bool written = name == argument_.name || was_written(written_, name);
  return after[end] == '>' && !written && tools.declares(tool_, name) ? Look::kYes : Look::kNo;
}

Step TagCallReader::end_value(ReplyText& reply, bool closed) {
  std::string_view text = reply.text().substr(text_begin_, reply.at - text_begin_);
  if (tags_->on_lines) {
    text = without_newlines(text);
  } else if (!closed && text.ends_with('\n')) {
    text.remove_suffix(1);
  }
  argument_.text = text;
  written_.push_back(std::move(argument_));
  if (closed) reply.at += tags_->parameter_end.size();
  end_ = reply.at;
  return go(&TagCallReader::read_function);
}

Step TagCallReader::read_value(ReplyText& reply, CallCollector& out) {
  const std::array<std::string_view, 3> ends = {tags_->parameter_end, tags_->parameter,
                                                tags_->call_end};
  const int found = reply.seek(ends);
  if (found < 0) return reject_at_end(reply, out, tags_->parameter_end);
  Look is_end = Look::kNo;
  if (found == 0) {
    is_end = ends_value(reply, out.tools());
  } else if (at_line_start(reply)) {
    is_end = found == 1 ? begins_next(reply, reply.at, out.tools())
                        : ends_call(reply, reply.at, tags_->block_ends);
  }
  if (is_end == Look::kMore) return Step::kWait;
  if (is_end == Look::kYes) return end_value(reply, found == 0);
  opens_in_value_ = opens_in_value_ || found == 1;
  ++reply.at;
  return Step::kOn;
}

}  // namespace

std::unique_ptr<CallReader> new_tag_reader() {
  return std::make_unique<TagCallReader>(kFunctionTags);
}

std::unique_ptr<CallReader> new_invoke_reader() {
  return std::make_unique<TagCallReader>(kInvokeTags);
}

}  // namespace pedro
