#include "call_parser/python_call.h"

#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFunctionNameBytes = 256;
constexpr std::size_t kMaxOpenBrackets = 100;

bool is_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.';
}

// Converts Python's literals to JSON, from front to back.
class LiteralWriter {
 public:
  explicit LiteralWriter(std::string_view text) : text_(text) {}

  /// Converts `key=value, …)` up to the bracket that closes the call.
  std::variant<std::string, JsonFault> arguments();

 private:
  bool argument();
  bool value();
  bool value_byte(char c);
  bool string();
  bool json_string();
  bool escape(std::string& out);
  bool word();
  bool fail(std::string expected);
  std::string_view name();
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) < 4) ++at_;
  }
  bool here(char c) const { return at_ < text_.size() && text_[at_] == c; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string json_ = "{";
  std::set<std::string_view> names_;
  JsonFault fault_;
};

bool LiteralWriter::fail(std::string expected) {
  fault_ = {at_, std::move(expected), at_ >= text_.size()};
  return false;
}

std::string_view LiteralWriter::name() {
  const std::size_t from = at_;
  while (at_ < text_.size() && is_name(text_[at_])) ++at_;
  return text_.substr(from, at_ - from);
}

std::variant<std::string, JsonFault> LiteralWriter::arguments() {
  for (skip_blanks(); !here(')'); skip_blanks()) {
    if (!argument()) return fault_;
  }
  return json_ + "}";
}

bool LiteralWriter::argument() {
  if (json_.size() > 1) json_ += ',';
  const std::string_view key = name();
  skip_blanks();
  if (key.empty() || !here('=')) return fail("name=value");
  if (!names_.insert(key).second) return fail("each parameter once");
  ++at_;
  json_ += to_line(key) + ":";
  if (!value()) return false;
  if (here(',')) ++at_;
  return true;
}

// Converts a value, up to the comma or bracket after it.
bool LiteralWriter::value() {
  for (int depth = 0; at_ < text_.size();) {
    const char c = text_[at_];
    if (depth == 0 && (c == ',' || c == ')')) return true;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (!value_byte(c)) return false;
  }
  return fail("')'");
}

bool LiteralWriter::value_byte(char c) {
  if (c == '"' || c == '\'') return string();
  if (is_name(c)) return word();
  if (std::string_view("[]{},:-+ \t\r\n").find(c) == std::string_view::npos) {
    return fail("a literal");
  }
  json_ += c;
  ++at_;
  return true;
}

bool LiteralWriter::word() {
  const std::string_view text = name();
  if (text == "True") {
    json_ += "true";
  } else if (text == "False") {
    json_ += "false";
  } else if (text == "None") {
    json_ += "null";
  } else {
    json_ += text;
  }
  return true;
}

bool LiteralWriter::string() {
  const std::string one(1, text_[at_]);
  const std::string three(3, text_[at_]);
  const std::string& quote = text_.substr(at_).starts_with(three) ? three : one;
  if (quote == "\"" && json_string()) return true;
  std::string content;
  for (at_ += quote.size(); at_ < text_.size();) {
    if (text_.substr(at_).starts_with(quote)) {
      at_ += quote.size();
      json_ += to_line(Json(std::move(content)));
      return true;
    }
    if (text_[at_] != '\\') {
      content += text_[at_++];
    } else if (!escape(content)) {
      return false;
    }
  }
  return fail("the end of the string");
}

// Copies a string that is JSON too: models and grammars write both. Python would keep "\/".
bool LiteralWriter::json_string() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size()) return false;
  const std::string_view text = text_.substr(at_, end + 1 - at_);
  if (!parse_json(text)) return false;
  json_ += text;
  at_ = end + 1;
  return true;
}

std::optional<char32_t> hex_number(std::string_view digits) {
  char32_t number = 0;
  for (const char c : digits) {
    const char low = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      number = number * 16 + static_cast<char32_t>(c - '0');
    } else if (low >= 'a' && low <= 'f') {
      number = number * 16 + static_cast<char32_t>(low - 'a' + 10);
    } else {
      return {};
    }
  }
  const bool is_letter = number <= kLastCodePoint && (number < 0xD800 || number > 0xDFFF);
  if (!is_letter || digits.empty()) return {};
  return number;
}

// Reads an escape of Python. Unknown escapes stay unchanged.
bool LiteralWriter::escape(std::string& out) {
  constexpr std::string_view kFrom = "nrtbfav0\\'\"";
  constexpr std::string_view kTo("\n\r\t\b\f\a\v\0\\'\"", 11);
  ++at_;
  if (at_ >= text_.size()) return fail("the end of the string");
  const char c = text_[at_++];
  if (const std::size_t i = kFrom.find(c); i != std::string_view::npos) {
    out += kTo[i];
  } else if (c == 'x' || c == 'u' || c == 'U') {
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;
    const auto number = hex_number(text_.substr(at_, digits));
    if (!number || text_.size() - at_ < digits) return fail("hexadecimal digits");
    append_utf8(out, *number);
    at_ += digits;
  } else if (c != '\n') {
    out += '\\';
    out += c;
  }
  return true;
}

JsonFault behind(JsonFault fault, std::size_t bytes) {
  fault.at += bytes;
  return fault;
}

}  // namespace

JsonExtent::State PythonExtent::take(char c) {
  using State = JsonExtent::State;
  if (in_ == In::kFirstQuote) {
    in_ = c == quote_ ? In::kSecondQuote : In::kShort;
    if (c == quote_) return State::kOpen;
  } else if (in_ == In::kSecondQuote) {
    in_ = c == quote_ ? In::kLong : In::kNothing;
    if (c == quote_) return State::kOpen;
  }
  if (in_ != In::kNothing) {
    read_in_string(c);
    return State::kOpen;
  }
  if (!outside(c)) return State::kBroken;
  return c == ')' && open_.empty() ? State::kClosed : State::kOpen;
}

// Line ends may be in any string: models write them, and no other reading is possible.
void PythonExtent::read_in_string(char c) {
  if (escaped_) {
    escaped_ = false;
    return;
  }
  escaped_ = c == '\\';
  closing_ = c == quote_ ? closing_ + 1 : 0;
  if (closing_ == (in_ == In::kLong ? 3 : 1)) {
    closing_ = 0;
    in_ = In::kNothing;
  }
}

bool PythonExtent::outside(char c) {
  if (open_.empty()) {
    if (is_name(c)) return ++name_bytes_ <= kMaxFunctionNameBytes;
    if (c != '(' || name_bytes_ == 0) return false;
  }
  if (c == '"' || c == '\'') {
    in_ = In::kFirstQuote;
    quote_ = c;
  }
  if (c == '(' || c == '[' || c == '{') {
    open_ += c;
    return open_.size() <= kMaxOpenBrackets;
  }
  return (c != ')' && c != ']' && c != '}') || close(c);
}

bool PythonExtent::close(char c) {
  const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
  if (open_.back() != opening) return false;
  open_.pop_back();
  return true;
}

std::string_view PythonExtent::expected() const {
  if (in_ != In::kNothing) return "the end of the string";
  if (open_.empty()) return "name(key=value)";
  return open_.back() == '(' ? "')'" : open_.back() == '[' ? "']'" : "'}'";
}

std::variant<WrittenCall, JsonFault> read_python_call(std::string_view text) {
  std::size_t begin = 0;
  std::size_t bracket = text.find('(');
  if (trim(text.substr(0, bracket)) == "print" && bracket < text.size()) {
    begin = bracket + 1;
    bracket = text.find('(', begin);
  }
  if (bracket == std::string_view::npos) return JsonFault{begin, "name(key=value)"};
  std::string_view name = trim(text.substr(begin, bracket - begin));
  if (name.ends_with(".call")) name.remove_suffix(5);
  auto json = LiteralWriter(text.substr(bracket + 1)).arguments();
  if (auto* fault = std::get_if<JsonFault>(&json)) return behind(std::move(*fault), bracket + 1);
  auto args = read_bounded_json(std::get<std::string>(json));
  if (std::holds_alternative<JsonFault>(args)) {
    return JsonFault{bracket + 1, "only strings, numbers, True, False, None, lists and dicts"};
  }
  return WrittenCall{std::string(name), "", std::get<Json>(std::move(args))};
}

}  // namespace pedro
