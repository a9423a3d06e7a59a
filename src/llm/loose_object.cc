#include "llm/loose_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "call_parser/json_extent.h"

namespace pedro {
namespace {

constexpr int kMaxStringLevels = 2;  // of arguments in a string in a string
constexpr std::size_t kMaxDepth = 100;
constexpr std::string_view kEscape = "<escape>";  // around a text of FunctionGemma
constexpr char kLineEnd = '\n';

// Texts between tokens without a meaning: blanks, also escaped, without width or full-width.
constexpr std::string_view kIgnored[] = {" ",      "\t",     "\r",     "\n",     "\\n",
                                         "\\t",    "\\r",    "\u00a0", "\u3000", "\u200b",
                                         "\u200c", "\u200d", "\u2060", "\ufeff"};
constexpr std::string_view kLineEnds[] = {"/>", ">", "]", "`", "\n"};
constexpr std::string_view kCommas[] = {",", "\uff0c"};
constexpr std::string_view kColons[] = {"=>", ":=", ":", "=", "\uff1a"};
constexpr std::pair<std::string_view, std::string_view> kComments[] = {
    {"//", "\n"}, {"#", "\n"}, {"/*", "*/"}};
constexpr std::pair<std::string_view, std::string_view> kQuotes[] = {
    {"\"\"\"", "\"\"\""}, {"'''", "'''"},    {"\\\"", "\\\""},     {"\"", "\""},
    {"'", "'"},           {"`", "`"},        {"\u201c", "\u201d"}, {"\u2018", "\u2019"},
    {"\uff02", "\uff02"}, {kEscape, kEscape}};

template <typename Texts>
std::size_t size_at(std::string_view text, const Texts& texts) {
  for (const std::string_view one : texts) {
    if (text.starts_with(one)) return one.size();
  }
  return 0;
}

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdefABCDEF") == text.npos;
}

class LooseReader {
 public:
  explicit LooseReader(std::string_view text) : text_(text) {}

  LooseObject read(std::size_t begin) {
    at_ = begin;
    const char first = text_[at_];
    open(first == '{' ? '}' : first == '(' ? ')' : kLineEnd);
    if (first == '{' || first == '(') ++at_;
    while (!is_broken_ && !open_.empty() && step()) {
    }
    if (open_.size() > 0 && json_.find(':') == std::string::npos) is_broken_ = true;
    while (!is_broken_ && !open_.empty()) close(open_.back().close);
    LooseObject object{std::move(json_), nullptr, at_, std::move(strings_)};
    if (is_broken_) return object;
    std::variant<Json, JsonFault> value = read_bounded_json(object.json);
    auto* const json = std::get_if<Json>(&value);
    if (json != nullptr && json->is_object()) object.value = std::move(*json);
    return object;
  }

 private:
  enum class Next { kName, kColon, kValue };

  struct Frame {
    char close;  // the bracket, or kLineEnd
    Next next;
    bool is_quoted = false;  // quotes are around the object
    bool is_bare = false;    // words without quotes are values of the last name
    bool is_flag = false;    // the last name is "--name"
    bool has_any = false;
  };

  std::string_view rest() const { return text_.substr(std::min(at_, text_.size())); }

  // Reads one token. Returns false at the end of the object.
  bool step() {
    if (!skip_ignored()) return false;
    const std::string_view left = rest();
    if (left.starts_with("</") || left.starts_with("<|") || left.starts_with("```")) return false;
    Frame& top = open_.back();
    const char c = left.front();
    if (top.close == kLineEnd && size_at(left, kLineEnds) > 0) return false;
    if (c == '}' || c == ']' || c == ')') return take_bracket(c);
    if (top.next == Next::kColon) return take_colon(left);
    if (c == '+' && !json_.empty() && json_.back() == '"') {
      joins_ = true;
      ++at_;
      return true;
    }
    if (is_string_here()) return take_string();
    if (is_word_byte(c) || c == '-' || c == '+' || c == '.' || c == '/') return take_word();
    if (top.next == Next::kValue && (c == '{' || c == '[')) {
      begin_value();
      ++at_;
      return open(c == '{' ? '}' : ']');
    }
    return fail();
  }

  bool fail() {
    is_broken_ = true;
    return false;
  }

  bool open(char bracket) {
    if (open_.size() >= kMaxDepth) return fail();
    open_.push_back({bracket, bracket == ']' ? Next::kValue : Next::kName});
    json_ += bracket == ']' ? '[' : '{';
    return true;
  }

  bool take_bracket(char bracket) {
    if (open_.back().close != bracket) return fail();
    ++at_;
    close(bracket);
    return !is_broken_;
  }

  void close(char bracket) {
    const Frame top = open_.back();
    const bool has_value = top.next == (bracket == ']' ? Next::kValue : Next::kName);
    if (!has_value || joins_) return (void)fail();
    json_ += bracket == ']' ? ']' : '}';
    open_.pop_back();
    if (top.is_quoted && rest().starts_with('"')) ++at_;
  }

  // Returns false at the end of the text, or of a line of members.
  bool skip_ignored() {
    for (;;) {
      const std::string_view left = rest();
      if (left.empty()) return false;
      if (is_word_byte(left.front())) return true;
      if (left.front() == '\n' && open_.back().close == kLineEnd) return true;
      std::size_t size = size_at(left, kIgnored);
      if (const std::size_t comma = size_at(left, kCommas); comma > 0) {
        size = comma;
        had_comma_ = true;
      }
      for (const auto& [begin, end] : kComments) {
        if (size > 0 || !left.starts_with(begin)) continue;
        const std::size_t found = left.find(end);
        size = found == left.npos ? left.size() : found + end.size();
      }
      if (size == 0) return true;
      at_ += size;
    }
  }

  bool take_colon(std::string_view left) {
    Frame& top = open_.back();
    if (top.is_bare && !top.is_flag && left.front() == '"') {  // the second quote of the name
      top.is_bare = false;
      ++at_;
      return true;
    }
    const std::size_t size = size_at(left, kColons);
    if (size == 0 && !top.is_flag) return fail();
    at_ += size;
    top.next = Next::kValue;
    return true;
  }

  // Begins a member or an element.
  void begin_value() {
    Frame& top = open_.back();
    if (top.close == ']' && top.has_any) json_ += ',';
    top.has_any = true;
    if (top.close != ']') top.next = Next::kName;
    had_comma_ = false;
  }

  // Adds a name in quotes.
  void add_name(std::string_view name) {
    Frame& top = open_.back();
    if (top.has_any) json_ += ',';
    json_ += name;
    json_ += ':';
    top.next = Next::kColon;
    top.is_bare = top.is_flag = false;
  }

  bool take_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (is_word_byte(text_[at_]) || std::string_view("+-./").find(text_[at_]) != text_.npos)) {
      ++at_;
    }
    std::string_view word = text_.substr(begin, at_ - begin);
    if (joins_) return fail();
    if (Frame& top = open_.back(); top.next == Next::kName) {
      const bool is_flag = top.close == kLineEnd && word.starts_with("--");
      add_name(fmt::format("\"{}\"", word.substr(is_flag ? 2 : 0)));
      top.is_flag = is_flag;
      top.is_bare = is_flag || top.close == '}';
      return true;
    }
    const bool can_be_text = open_.back().is_bare;
    begin_value();
    if (word == "True" || word == "False" || word == "None") {
      json_ += word == "True" ? "true" : word == "False" ? "false" : "null";
      return true;
    }
    if (word == "true" || word == "false" || word == "null") {
      json_ += word;
      return true;
    }
    const std::string number = number_in(word);
    if (number.empty() && !can_be_text) return fail();
    json_ += number.empty() ? to_line(Json(word)) : number;
    return true;
  }

  // Returns a number without its plus sign and leading zeros; "" for another word.
  static std::string number_in(std::string_view word) {
    std::string number = word.starts_with('-') ? "-" : "";
    if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
    while (word.size() > 1 && word[0] == '0' && is_digit(word[1])) word.remove_prefix(1);
    if (word.empty() || !is_digit(word[0])) return "";
    number += word;
    return parse_json(number) ? number : "";
  }

  // Returns true for a quote, also after a prefix of Python.
  bool is_string_here() const {
    const std::string_view left = rest();
    const bool has_prefix = left.size() > 1 &&
                            std::string_view("rRuUbB").find(left[0]) != left.npos &&
                            (left[1] == '"' || left[1] == '\'');
    if (has_prefix) return true;
    return std::any_of(std::begin(kQuotes), std::end(kQuotes),
                       [&](const auto& quote) { return left.starts_with(quote.first); });
  }

  // Returns true if an object in quotes has quotes without escapes: "{"path": …}".
  bool is_object_in_quotes() const {
    const std::string_view left = rest();
    if (!left.starts_with("\"{") || open_.back().next != Next::kValue) return false;
    const std::size_t quote = left.find_first_not_of(" \t\r\n", 2);
    return quote != left.npos && left[quote] == '"' && quote + 1 < left.size() &&
           is_word_byte(left[quote + 1]);
  }

  bool take_string() {
    if (is_object_in_quotes()) {
      begin_value();
      at_ += 2;
      if (open('}')) open_.back().is_quoted = true;
      return !is_broken_;
    }
    const std::size_t begin = at_;
    std::string string;
    if (!read_string(string)) return fail();
    strings_.push_back({begin, at_});
    Frame& top = open_.back();
    const bool is_after_string = json_.back() == '"';
    if (joins_) return join(string);
    if (top.next == Next::kValue) {
      begin_value();
      json_ += string;
      return true;
    }
    const bool is_adjacent = is_after_string && !had_comma_;
    if (skip_ignored() && size_at(rest(), kColons) > 0) {
      add_name(string);
      return true;
    }
    return is_adjacent ? join(string) : fail();
  }

  bool join(std::string_view string) {
    joins_ = false;
    json_.pop_back();
    json_ += string.substr(1);
    return true;
  }

  // Returns the number of bytes that stay as they are in a string.
  static std::size_t plain_bytes(std::string_view text, char end) {
    std::size_t size = 0;
    while (size < text.size() && static_cast<unsigned char>(text[size]) >= ' ' &&
           text[size] != '"' && text[size] != '\\' && text[size] != '$' && text[size] != end) {
      ++size;
    }
    return size;
  }

  // Reads a string as one of JSON.
  bool read_string(std::string& out) {
    const bool is_raw = rest().front() == 'r' || rest().front() == 'R';
    if (is_word_byte(rest().front())) ++at_;
    std::string_view end;
    for (const auto& [open_quote, close_quote] : kQuotes) {
      if (!end.empty() || !rest().starts_with(open_quote)) continue;
      at_ += open_quote.size();
      end = close_quote;
    }
    out = '"';
    std::vector<std::size_t> marks;  // of escapes of punctuation
    for (; at_ < text_.size();) {
      const std::string_view left = rest();
      const std::size_t plain = plain_bytes(left, end.front());
      out += left.substr(0, plain);
      at_ += plain;
      if (plain > 0) continue;
      const char c = left.front();
      if (left.starts_with(end)) {
        at_ += end.size();
        drop_marks(out, marks);
        out += '"';
        return true;
      }
      if (c == '\\' && end != kEscape) {
        read_escape(out, is_raw, end == "\\\"", marks);
        continue;
      }
      if (end == "`" && left.starts_with("${")) return false;  // an expression
      if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (static_cast<unsigned char>(c) < ' ') {
        out += fmt::format("\\u{:04x}", c);
      } else {
        out += c;
      }
      ++at_;
    }
    return false;
  }

  // Unknown escapes stay, since they belong to a regular expression or to code.
  void read_escape(std::string& out, bool is_raw, bool is_escaped,
                   std::vector<std::size_t>& marks) {
    const auto byte = [&](std::size_t i) { return at_ + i < text_.size() ? text_[at_ + i] : '\0'; };
    at_ += is_escaped && byte(1) == '\\' ? 2 : 1;
    if (is_escaped && byte(0) == '\\' && (byte(1) == '"' || byte(1) == '\\')) ++at_;
    const char c = byte(0);
    const bool is_json = std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
    const std::string_view digits = text_.substr(std::min(at_ + 1, text_.size()));
    if (is_raw) {
      out += "\\\\";
      if (c != '"' && c != '\'' && c != '\\') return;
      out += c == '\'' ? "'" : c == '"' ? "\\\"" : "\\\\";
    } else if (is_json || (c == 'u' && digits.size() >= 4 && is_hex(digits.substr(0, 4)))) {
      out += '\\';
      out += c;
    } else if (c == 'x' && digits.size() >= 2 && is_hex(digits.substr(0, 2))) {
      out += "\\u00";
    } else if (c == '\'' || c == '`' || c == '$') {
      out += c;
    } else if (c != '\n') {
      if (c == '.' || c == '-' || c == '_') marks.push_back(out.size());
      out += "\\\\";
      return;
    }
    ++at_;
  }

  // Drops escapes of punctuation from a text like a path, which Markdown needs.
  static void drop_marks(std::string& out, const std::vector<std::size_t>& marks) {
    const bool is_like_path = std::all_of(out.begin() + 1, out.end(), [](char c) {
      return is_word_byte(c) || c == '.' || c == '-' || c == '/' || c == '\\';
    });
    if (!is_like_path || marks.empty()) return;
    std::string kept;
    std::size_t at = 0;
    for (const std::size_t mark : marks) {
      kept += out.substr(at, mark - at);
      at = mark + 2;
    }
    out = kept + out.substr(at);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Frame> open_;
  std::vector<ByteRange> strings_;
  std::string json_;
  bool had_comma_ = false;  // after the last value
  bool joins_ = false;      // after a '+' between strings
  bool is_broken_ = false;
};

// Returns the object of a list of names and values: [{"name": "path", "value": "a"}].
std::optional<Json> named_values_in(const Json& list) {
  Json all = Json::object();
  for (const Json& one : list) {
    const std::string name = text_of(one, one.contains("key") ? "key" : "name");
    if (one.size() != 2 || name.empty() || !one.contains("value")) return std::nullopt;
    all[name] = one["value"];
  }
  return all.empty() ? std::nullopt : std::optional(std::move(all));
}

}  // namespace

LooseObject read_loose_object(std::string_view text, std::size_t begin) {
  return LooseReader(text).read(begin);
}

std::optional<Json> arguments_in(Json value) {
  if (value.is_array()) {
    if (auto all = named_values_in(value)) return all;
    if (value.size() == 1) value = Json(value[0]);
  }
  for (int level = 0; level < kMaxStringLevels && value.is_string(); ++level) {
    const std::string text(trim(value.get_ref<const std::string&>()));
    std::variant<Json, JsonFault> inner = read_bounded_json(text);
    if (auto* json = std::get_if<Json>(&inner)) {
      value = std::move(*json);
    } else {
      if (!text.starts_with('{')) return std::nullopt;
      LooseObject object = read_loose_object(text, 0);
      if (object.end != text.size()) return std::nullopt;
      value = std::move(object.value);
    }
  }
  return value.is_object() ? std::optional(std::move(value)) : std::nullopt;
}

}  // namespace pedro
