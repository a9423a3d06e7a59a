#include <cstddef>
#include <string>
#include <string_view>

#include "call_parser/call_reader.h"
#include "call_parser/call_scan.h"

namespace pedro {
namespace {

using Look = ReplyText::Look;

/// The tokens around a call and between its name and its arguments.
struct TokenDialect {
  std::string_view begin;
  std::string_view separator;
  std::string_view end;
  bool has_id = false;  // the name is part of an id: functions.NAME:0
};

constexpr TokenDialect kDeepseekTokens{"<｜tool▁call▁begin｜>", "<｜tool▁sep｜>",
                                       "<｜tool▁call▁end｜>"};
constexpr TokenDialect kKimiTokens{"<|tool_call_begin|>", "<|tool_call_argument_begin|>",
                                   "<|tool_call_end|>", true};
constexpr std::string_view kJsonFence = "```json";

// Removes a number and the separator before it from the end of a name.
std::string_view without_number(std::string_view name, std::string_view separator) {
  const std::size_t digits = name.find_last_not_of("0123456789");
  if (digits == std::string_view::npos || digits + 1 == name.size()) return name;
  const std::string_view rest = name.substr(0, digits + 1);
  return rest.ends_with(separator) ? rest.substr(0, rest.size() - separator.size()) : name;
}

// Returns the name in an id: functions.NAME:0, or functions_NAME_0 if that is a known tool.
std::string name_in_id(std::string_view id, const KnownTools& tools) {
  constexpr std::string_view kPrefix = "functions";
  const auto stripped = [&](std::string_view dot, std::string_view colon) {
    std::string_view name = without_number(id, colon);
    if (name.starts_with(kPrefix) && name.substr(kPrefix.size()).starts_with(dot)) {
      name.remove_prefix(kPrefix.size() + dot.size());
    }
    return std::string(name);
  };
  std::string changed = stripped("_", "_");
  return !tools.contains(id) && tools.contains(changed) ? changed : stripped(".", ":");
}

/// Reads calls between tokens. DeepSeek V3.1 has NAME<｜tool▁sep｜>{"x": 1} between the tokens of
/// V3. Kimi K2 has its own tokens, and functions.NAME:0, the call's id, for NAME. Ignores the
/// markers around all calls. DeepSeek V3 and R1:
///
///   <｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME
///   ```json
///   {"x": 1}
///   ```<｜tool▁call▁end｜>
class TokenCallReader : public StateReader<TokenCallReader> {
 public:
  explicit TokenCallReader(const TokenDialect& dialect)
      : StateReader(&TokenCallReader::find, {dialect.end, dialect.begin}),
        dialect_(dialect),
        markers_({dialect.begin}) {}

 private:
  Step find(ReplyText& reply, CallCollector& out);
  Step read_head(ReplyText& reply, CallCollector& out);
  Step read_separated(ReplyText& reply, CallCollector& out);
  Step read_name(ReplyText& reply, CallCollector& out);
  Step read_fence(ReplyText& reply, CallCollector& out);
  Step read_json(ReplyText& reply, CallCollector& out);
  Step end_call(ByteRange where, const Json& arguments, CallCollector& out);

  const TokenDialect& dialect_;
  MarkerSearch markers_;
  ValueReader value_;
  NameReader name_;
  std::string tool_;
};

Step TokenCallReader::find(ReplyText& reply, CallCollector& out) {
  if (markers_.next(reply, out) < 0) return Step::kWait;
  found_any_ = true;
  begin_ = reply.at;
  reply.at += dialect_.begin.size();
  name_.begin(reply);
  return go(&TokenCallReader::read_head);
}

// Reads "function" or the tool's name.
Step TokenCallReader::read_head(ReplyText& reply, CallCollector& out) {
  const std::string expected(dialect_.separator);
  if (!name_.read(reply, "<\n{")) {
    return name_.fails(reply) ? reject(out, expected) : Step::kWait;
  }
  const Look separator = reply.look(reply.at, dialect_.separator);
  if (separator == Look::kMore) return Step::kWait;
  if (separator == Look::kNo) return reject(out, expected);
  tool_ = name_.name(reply);
  reply.at += dialect_.separator.size();
  return go(&TokenCallReader::read_separated);
}

Step TokenCallReader::read_separated(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks()) return reject_at_end(reply, out, "'{' or the name of a tool");
  const Look end = dialect_.has_id ? reply.look(reply.at, dialect_.end) : Look::kNo;
  if (end == Look::kMore) return Step::kWait;
  if (end == Look::kYes) {
    reply.at += dialect_.end.size();
    return end_call({begin_, reply.at}, Json::object(), out);
  }
  const char c = reply.text()[reply.at];
  if (c == '{' || c == '"' || c == '`') return go(&TokenCallReader::read_fence);
  name_.begin(reply);
  return go(&TokenCallReader::read_name);
}

Step TokenCallReader::read_name(ReplyText& reply, CallCollector& out) {
  if (!name_.read(reply, "\n`{<")) {
    return name_.fails(reply) ? reject(out, "'{' after the name") : Step::kWait;
  }
  tool_ = name_.name(reply);
  return go(&TokenCallReader::read_fence);
}

// Reads up to the arguments.
Step TokenCallReader::read_fence(ReplyText& reply, CallCollector& out) {
  if (!reply.skip_blanks()) return reject_at_end(reply, out, "'{'");
  if (reply.rest().starts_with('`')) {
    const Look fence = reply.look(reply.at, kJsonFence);
    if (fence == Look::kMore) return Step::kWait;
    if (fence == Look::kNo) return reject(out, std::string(kJsonFence));
    reply.at += kJsonFence.size();
    return Step::kOn;
  }
  if (tool_.empty()) return reject(out, "the name of a tool");
  value_.begin(reply, begin_);
  return go(&TokenCallReader::read_json);
}

Step TokenCallReader::read_json(ReplyText& reply, CallCollector& out) {
  const ValueReader::State state = value_.read(reply, out);
  if (state == ValueReader::State::kMore) return Step::kWait;
  state_ = &TokenCallReader::skip;
  if (state == ValueReader::State::kRejected) return Step::kOn;
  return end_call(value_.where(), value_.value(), out);
}

Step TokenCallReader::end_call(ByteRange where, const Json& arguments, CallCollector& out) {
  const std::string tool = dialect_.has_id ? name_in_id(tool_, out.tools()) : tool_;
  out.add_arguments(where, tool, dialect_.has_id ? tool_ : "", arguments);
  return go(&TokenCallReader::find);
}

}  // namespace

std::unique_ptr<CallReader> new_deepseek_reader() {
  return std::make_unique<TokenCallReader>(kDeepseekTokens);
}

std::unique_ptr<CallReader> new_kimi_reader() {
  return std::make_unique<TokenCallReader>(kKimiTokens);
}

}  // namespace pedro
