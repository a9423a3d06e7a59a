#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/text.h"
#include "call_parser/call_reader.h"
#include "call_parser/call_scan.h"
#include "call_parser/gemma_text.h"

namespace pedro {
namespace {

constexpr std::string_view kGemmaCall = "<|tool_call>";
constexpr std::string_view kGemmaCallEnd = "<tool_call|>";
constexpr std::size_t kMaxGemmaBrackets = 100;
constexpr std::string_view kGemmaBlanks = " \t\r\n";

char closing_of(char open) {
  return open == '{' ? '}' : open == '[' ? ']' : ')';
}

/// Converts the arguments of a call, brackets included, to JSON. Does not recurse.
class GemmaArguments {
 public:
  explicit GemmaArguments(std::string_view text) : text_(text) {}

  /// Returns the JSON, or the first fault.
  std::variant<std::string, JsonFault> convert() {
    open();
    while (!brackets_.empty()) {
      skip_blanks();
      if (!(here(closing_of(brackets_.back())) ? close() : member())) return fault_;
    }
    return std::move(json_);
  }

 private:
  bool here(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool at_quote() const { return text_.substr(at_).starts_with(kGemmaQuote); }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kGemmaBlanks, at_), text_.size()); }
  bool in_list() const { return brackets_.back() == '['; }

  bool fail(std::string expected) {
    fault_ = {at_, std::move(expected), at_ >= text_.size()};
    return false;
  }

  bool open() {
    brackets_ += text_[at_];
    json_ += text_[at_++] == '[' ? '[' : '{';
    first_ = true;
    return true;
  }

  bool close() {
    json_ += in_list() ? ']' : '}';
    brackets_.pop_back();
    ++at_;
    return brackets_.empty() || end_member();
  }

  bool member() {
    if (!first_) json_ += ',';
    first_ = false;
    if (!in_list() && !key()) return false;
    skip_blanks();
    return value();
  }

  // A comma follows a value. After a text in tokens, it may be missing.
  bool end_member() {
    first_ = false;
    skip_blanks();
    if (here(',')) {
      ++at_;
      return true;
    }
    if (here(closing_of(brackets_.back()))) return true;
    const bool after_text = text_.substr(0, at_).ends_with(kGemmaQuote);
    return (after_text && !in_list()) || fail("',' or the closing bracket");
  }

  bool key() {
    std::string name;
    if (at_quote() || here('"') || here('\'')) {
      if (!quoted(name)) return false;
    } else {
      const std::size_t end = std::min(text_.find_first_of(":=,{}[]()<", at_), text_.size());
      name = trim(text_.substr(at_, end - at_));
      at_ = end;
    }
    skip_blanks();
    const bool separated = here(':') || (brackets_.back() == '(' && here('='));
    if (name.empty() || !separated) return fail("key:value");
    if (brackets_.size() == 1 && !names_.insert(name).second) return fail("each parameter once");
    ++at_;
    json_ += to_line(Json(std::move(name))) + ":";
    return true;
  }

  bool value() {
    if (here('{') || here('[')) return open();
    if (at_quote() || here('"') || here('\'')) {
      std::string text;
      if (!quoted(text)) return false;
      json_ += to_line(Json(std::move(text)));
      return end_member();
    }
    return (word() || unopened_text() || fail("a value")) && end_member();
  }

  // Reads a text between two tokens, or in quotes with the escapes of JSON.
  bool quoted(std::string& out) {
    if (at_quote()) {
      const std::size_t begin = at_ + kGemmaQuote.size();
      const std::size_t end = text_.find(kGemmaQuote, begin);
      if (end == std::string_view::npos) return fail("the end of the string");
      out = text_.substr(begin, end - begin);
      at_ = end + kGemmaQuote.size();
      return true;
    }
    const char quote = text_[at_];
    const std::size_t begin = at_ + 1;
    std::size_t end = begin;
    while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return fail("the end of the string");
    const std::string_view inside = text_.substr(begin, end - begin);
    if (quote == '"') {
      const Result<Json> read = parse_json(text_.substr(at_, end + 1 - at_));
      if (!read) return fail("a string of JSON");
      out = read->get<std::string>();
    } else if (inside.find('\\') != std::string_view::npos) {
      return fail("a string without escapes");
    } else {
      out = inside;
    }
    at_ = end + 1;
    return true;
  }

  // Reads a number or a constant.
  bool word() {
    const std::size_t end = std::min(text_.find_first_of(",}])", at_), text_.size());
    std::string_view text = trim(text_.substr(at_, end - at_));
    if (text == "True" || text == "False" || text == "None") {
      text = text == "True" ? "true" : text == "False" ? "false" : "null";
    }
    const Result<Json> read = parse_json(text);
    if (!read || read->is_string() || read->is_structured()) return false;
    json_ += text;
    at_ = end;
    return true;
  }

  // Reads a text without its opening token. It cannot contain another member.
  bool unopened_text() {
    const std::size_t end = text_.find(kGemmaQuote, at_);
    if (end == std::string_view::npos) return false;
    const std::string_view text = text_.substr(at_, end - at_);
    const std::size_t next = text_.find_first_not_of(kGemmaBlanks, end + kGemmaQuote.size());
    const bool is_end = next < text_.size() && std::string_view(",}])").find(text_[next]) < 4;
    if (!is_end || text.find_first_of(":={}[]") != std::string_view::npos) return false;
    json_ += to_line(Json(text));
    at_ = end + kGemmaQuote.size();
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string brackets_;
  std::string json_;
  std::set<std::string> names_;  // of the parameters
  bool first_ = true;
  JsonFault fault_;
};

/// Reads calls of Gemma 4:
///
///   <|tool_call>call:f{x:1,y:[<|"|>text<|"|>]}<tool_call|>
///
/// Texts between <|"|> are verbatim; they cannot contain it. Also reads the forms that models drift
/// to: without "call", with parentheses and '=', or with quotes of JSON. The first <|"|> of a text
/// may be missing, and a name space may precede the name of a known tool.
class Gemma4CallReader : public StateReader<Gemma4CallReader> {
 public:
  Gemma4CallReader() : StateReader(&Gemma4CallReader::find, {kGemmaCallEnd, kGemmaCall}) {}

 private:
  Step find(ReplyText& reply, CallCollector& out);
  Step read_name(ReplyText& reply, CallCollector& out);
  Step read_arguments(ReplyText& reply, CallCollector& out);
  Step read_byte(ReplyText& reply, CallCollector& out);
  Step read_token(ReplyText& reply, CallCollector& out);
  Step read_quote(ReplyText& reply, CallCollector& out);
  Step end_call(ReplyText& reply, CallCollector& out);

  MarkerSearch markers_{{kGemmaCall}};
  NameReader name_;
  std::string tool_;
  std::size_t arguments_begin_ = 0;
  std::string brackets_;
  char before_ = 0;  // the last byte that is not blank
};

// Returns a name without "call:". Removes name spaces if only the rest is a known tool.
std::string gemma_tool_name(std::string_view name, const KnownTools& tools) {
  if (name.starts_with("call")) name.remove_prefix(4);
  name = trim(name.substr(std::min(name.find_first_not_of(":- "), name.size())));
  const std::size_t space = name.rfind(':');
  if (space == std::string_view::npos || tools.contains(name)) return std::string(name);
  const std::string_view last = name.substr(space + 1);
  return std::string(tools.contains(last) ? last : name);
}

Step Gemma4CallReader::find(ReplyText& reply, CallCollector& out) {
  if (markers_.next(reply, out) < 0) return Step::kWait;
  found_any_ = true;
  begin_ = reply.at;
  reply.at += kGemmaCall.size();
  name_.begin(reply);
  return go(&Gemma4CallReader::read_name);
}

Step Gemma4CallReader::read_name(ReplyText& reply, CallCollector& out) {
  if (!name_.read(reply, "{(<\n")) {
    return name_.fails(reply) ? reject(out, "'{' after the name") : Step::kWait;
  }
  const char open = reply.text()[reply.at];
  tool_ = gemma_tool_name(name_.name(reply), out.tools());
  if (tool_.empty()) return reject(out, "the name of a tool");
  if (open != '{' && open != '(') return reject(out, "'{' after the name");
  arguments_begin_ = reply.at++;
  brackets_ = open;
  before_ = ',';
  return go(&Gemma4CallReader::read_arguments);
}

Step Gemma4CallReader::read_arguments(ReplyText& reply, CallCollector& out) {
  while (state_ == &Gemma4CallReader::read_arguments && !reply.at_edge()) {
    if (read_byte(reply, out) == Step::kWait) return Step::kWait;
  }
  if (state_ != &Gemma4CallReader::read_arguments) return Step::kOn;
  return reject_at_end(reply, out, fmt::format("'{}'", closing_of(brackets_.back())));
}

// Only the start of a value can open a text in quotes.
Step Gemma4CallReader::read_byte(ReplyText& reply, CallCollector& out) {
  constexpr std::array<std::string_view, 2> kTokens = {kGemmaQuote, kGemmaCallEnd};
  const char c = reply.text()[reply.at];
  const bool starts = std::string_view(":=,[{(").find(before_) < 6;
  if (c == '<') {
    const int token = look_at_any(reply, kTokens);
    if (token == -2) return Step::kWait;
    if (token == 1) return reject(out, fmt::format("'{}'", closing_of(brackets_.back())));
    if (token == 0) {
      reply.at += kGemmaQuote.size();
      before_ = '>';
      if (starts) state_ = &Gemma4CallReader::read_token;
      return Step::kOn;
    }
  }
  if ((c == '"' || c == '\'') && starts) {
    before_ = c;
    state_ = &Gemma4CallReader::read_quote;
  } else if (c == '{' || c == '[' || (c == '(' && starts)) {
    if (brackets_.size() >= kMaxGemmaBrackets) return reject(out, "fewer brackets");
    brackets_ += c;
  } else if (c == '}' || c == ']' || (c == ')' && brackets_.back() == '(')) {
    if (closing_of(brackets_.back()) != c) {
      return reject(out, fmt::format("'{}'", closing_of(brackets_.back())));
    }
    brackets_.pop_back();
    if (brackets_.empty()) return end_call(reply, out);
  }
  if (kGemmaBlanks.find(c) == std::string_view::npos) before_ = c;
  ++reply.at;
  return Step::kOn;
}

Step Gemma4CallReader::read_token(ReplyText& reply, CallCollector& out) {
  constexpr std::array<std::string_view, 1> kEnd = {kGemmaQuote};
  if (reply.seek(kEnd) < 0) return reject_at_end(reply, out, "the end of the string");
  reply.at += kGemmaQuote.size();
  return go(&Gemma4CallReader::read_arguments);
}

Step Gemma4CallReader::read_quote(ReplyText& reply, CallCollector& out) {
  const std::string_view text = reply.text();
  while (reply.at + 1 < text.size()) {
    const char c = text[reply.at + 1];
    if (c == '\\' && reply.at + 2 >= text.size()) break;
    reply.at += c == '\\' ? 2 : 1;
    if (c == before_) {
      ++reply.at;
      return go(&Gemma4CallReader::read_arguments);
    }
  }
  if (!reply.ended()) return Step::kWait;
  reply.at = text.size();
  return reject(out, "the end of the string");
}

Step Gemma4CallReader::end_call(ReplyText& reply, CallCollector& out) {
  ++reply.at;
  state_ = &Gemma4CallReader::find;
  const ByteRange where{begin_, reply.at};
  auto json =
      GemmaArguments(reply.text().substr(arguments_begin_, reply.at - arguments_begin_)).convert();
  if (const auto* fault = std::get_if<JsonFault>(&json)) {
    out.reject_at(begin_, std::min(arguments_begin_ + fault->at, reply.at - 1),
                  CallProblem::Kind::kNotACall, fault->expected);
    return Step::kOn;
  }
  auto args = read_bounded_json(std::get<std::string>(json));
  if (auto* object = std::get_if<Json>(&args)) {
    out.add_call(where, {tool_, "", std::move(*object)});
  } else {
    const auto& fault = std::get<JsonFault>(args);
    out.reject_at(begin_, arguments_begin_, CallProblem::Kind::kNotACall, fault.expected);
  }
  return Step::kOn;
}

}  // namespace

std::unique_ptr<CallReader> new_gemma4_reader() {
  return std::make_unique<Gemma4CallReader>();
}

}  // namespace pedro
