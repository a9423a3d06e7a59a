#include "call_parser/json_extent.h"

#include "base/text.h"

namespace pedro {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '+' || c == '.';
}

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

JsonExtent::State JsonExtent::take(char c) {
  ++bytes_;
  if (!step(c)) return State::kBroken;
  return done_ ? State::kClosed : State::kOpen;
}

bool JsonExtent::step(char c) {
  switch (next_) {
    case Next::kText:
    case Next::kEscape:
    case Next::kHex:
      return in_text(c);
    case Next::kWord:
      if (is_word(c)) return true;
      next_ = Next::kPart;
      return is_blank(c) || behind_value(c);
    default:
      break;
  }
  if (is_blank(c)) return true;
  switch (next_) {
    case Next::kStart:
      return (c == '{' || c == '[' || c == '"') && begin_value(c);
    case Next::kFirstName:
      return c == '}' ? close(c) : c == '"' && begin_name();
    case Next::kName:
      return c == '"' && begin_name();
    case Next::kColon:
      if (c != ':') return false;
      next_ = Next::kValue;
      return true;
    case Next::kFirstElement:
      return c == ']' ? close(c) : begin_value(c);
    case Next::kValue:
      return begin_value(c);
    default:
      return behind_value(c);
  }
}

bool JsonExtent::begin_name() {
  if (++open_.back().members > limits_.max_members) return fails_with(Next::kMembers);
  name_ = true;
  last_string_ = bytes_ - 1;
  next_ = Next::kText;
  return true;
}

bool JsonExtent::begin_value(char c) {
  if (c == '{' || c == '[') return open(c);
  if (c == '"') {
    name_ = false;
    last_string_ = bytes_ - 1;
    next_ = Next::kText;
    return true;
  }
  if (!is_word(c)) return false;
  next_ = Next::kWord;
  return true;
}

bool JsonExtent::open(char c) {
  if (open_.size() >= limits_.max_depth) return fails_with(Next::kDepth);
  open_.push_back({c, 0});
  next_ = c == '{' ? Next::kFirstName : Next::kFirstElement;
  return true;
}

bool JsonExtent::close(char c) {
  if (open_.back().bracket != (c == '}' ? '{' : '[')) return false;
  open_.pop_back();
  next_ = Next::kPart;
  done_ = open_.empty();
  return true;
}

bool JsonExtent::behind_value(char c) {
  if (c == '}' || c == ']') return close(c);
  if (c != ',') return false;
  next_ = open_.back().bracket == '{' ? Next::kName : Next::kValue;
  return true;
}

bool JsonExtent::in_text(char c) {
  if (next_ == Next::kHex) {
    if (!is_hex(c)) return false;
    if (--hex_left_ == 0) next_ = Next::kText;
    return true;
  }
  if (next_ == Next::kEscape) {
    hex_left_ = 4;
    next_ = c == 'u' ? Next::kHex : Next::kText;
    if (std::string_view("\"\\/bfnrtu").find(c) != std::string_view::npos) return true;
    next_ = Next::kEscape;
    return false;
  }
  if (c == '\\') {
    next_ = Next::kEscape;
  } else if (c == '"') {
    next_ = name_ ? Next::kColon : Next::kPart;
    done_ = open_.empty();
  }
  return static_cast<unsigned char>(c) >= 0x20;
}

bool JsonExtent::fails_with(Next limit) {
  next_ = limit;
  return false;
}

std::string_view JsonExtent::expected() const {
  switch (next_) {
    case Next::kStart:
      return "'{'";
    case Next::kFirstName:
      return "a name in double quotes or '}'";
    case Next::kName:
      return "a name in double quotes";
    case Next::kColon:
      return "':'";
    case Next::kFirstElement:
      return "a value or ']'";
    case Next::kValue:
      return "a value";
    case Next::kWord:
    case Next::kPart:
      return !open_.empty() && open_.back().bracket == '[' ? "',' or ']'" : "',' or '}'";
    case Next::kText:
      return "the end of the string, or \\n for a newline in it";
    case Next::kEscape:
      return "one of \"\\/bfnrtu after a backslash";
    case Next::kHex:
      return "four hexadecimal digits after \\u";
    case Next::kDepth:
      return "less deeply nested JSON";
    case Next::kMembers:
      return "an object with fewer members";
  }
  return "";
}

std::variant<Json, JsonFault> read_bounded_json(std::string_view text) {
  const std::string_view value = trim(text);
  const std::size_t begin = value.empty() ? text.size() : value.data() - text.data();
  JsonExtent extent;
  JsonExtent::State state = JsonExtent::State::kOpen;
  for (std::size_t i = 0; i < value.size() && state == JsonExtent::State::kOpen; ++i) {
    state = extent.take(value[i]);
  }
  if (state == JsonExtent::State::kOpen) {
    return JsonFault{text.size(), std::string(extent.expected()), true};
  }
  const std::size_t last = begin + extent.bytes() - 1;
  if (state == JsonExtent::State::kBroken) return JsonFault{last, std::string(extent.expected())};
  if (extent.bytes() < value.size()) return JsonFault{last + 1, "nothing after the value"};
  Result<Json> json = parse_json(value);
  if (json) return *std::move(json);
  return JsonFault{begin, "JSON"};
}

}  // namespace pedro
