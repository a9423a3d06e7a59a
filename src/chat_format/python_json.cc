#include "chat_format/python_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxOpenValues = 500;
constexpr char32_t kReplacement = 0xFFFD;

void append_escaped(std::string& out, std::string_view text) {
  constexpr std::string_view kSpecial = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  out += '"';
  for (const char c : text) {
    const std::size_t special = kSpecial.find(c);
    if (special != std::string_view::npos) {
      out += '\\';
      out += kLetters[special];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

// Returns the decimal exponent of the first nonzero digit: 0 for 1 to 9, -1 for 0.1 to 0.9.
double magnitude_of(std::string_view number) {
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  double exponent = 0;
  if (e < number.size()) {
    for (const char c : number.substr(e + 1)) {
      if (is_digit(c)) exponent = exponent * 10 + (c - '0');
    }
    if (number[e + 1] == '-') exponent = -exponent;
  }
  const auto point = static_cast<double>(std::min(number.find('.'), e));
  const auto first = static_cast<double>(number.find_first_of("123456789"));
  return exponent + (first < point ? point - first - 1 : point - first);
}

// Returns the value of a number that is too large or too small for a double.
double out_of_range(std::string_view number) {
  const bool large = magnitude_of(number) > 0;
  const double value = large ? std::numeric_limits<double>::infinity() : 0.0;
  return number.starts_with('-') ? -value : value;
}

// Formats like Python's repr(float). Unlike std::to_chars, it uses exponents only below 1e-4 and
// from 1e16 on. The result always has a point or an exponent.
std::string repr(double value) {
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  const double size = std::fabs(value);
  const bool scientific = size > 0 && (size < 1e-4 || size >= 1e16);
  char buffer[64];
  const auto format = scientific ? std::chars_format::scientific : std::chars_format::fixed;
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr;
  std::string text(buffer, end);
  if (!scientific && text.find('.') == std::string::npos) text += ".0";
  return text;
}

/// A container that has started.
struct Frame {
  /// A member of an object, with its positions in the output.
  struct Member {
    std::string key;
    std::size_t begin = 0;  // of the name
    std::size_t value = 0;  // after ": "
    std::size_t end = 0;
  };
  bool object = false;
  std::size_t begin = 0;
  std::size_t count = 0;
  std::vector<Member> members;
};

/// Reads like json.loads and writes like json.dumps, in one pass.
class Rewriter {
 public:
  explicit Rewriter(std::string_view text) : text_(text) {}

  std::optional<std::string> run() {
    skip_blanks();
    if (!value()) return {};
    while (!frames_.empty()) {
      if (!next()) return {};
    }
    skip_blanks();
    if (at_ != text_.size()) return {};
    return std::move(out_);
  }

 private:
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\n\r", at_), text_.size()); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  // Reads a scalar, or the start of a container.
  bool value() {
    if (peek() == '{' || peek() == '[') return open();
    if (peek() == '"') {
      std::string text;
      if (!string(text)) return false;
      append_escaped(out_, text);
      return true;
    }
    for (const std::string_view word : {"null", "true", "false", "NaN", "Infinity", "-Infinity"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      out_ += word;
      return true;
    }
    return number();
  }

  bool open() {
    if (frames_.size() >= kMaxOpenValues) return false;
    Frame frame;
    frame.object = text_[at_++] == '{';
    frame.begin = out_.size();
    out_ += frame.object ? '{' : '[';
    frames_.push_back(std::move(frame));
    return true;
  }

  // Reads the next part of the innermost container, or its end.
  bool next() {
    Frame& frame = frames_.back();
    skip_blanks();
    if (frame.object && !frame.members.empty()) frame.members.back().end = out_.size();
    if (take(frame.object ? '}' : ']')) return close();
    if (frame.count > 0) {
      if (!take(',')) return false;
      skip_blanks();
      out_ += ", ";
    }
    ++frame.count;
    if (frame.object && !name(frame)) return false;
    return value();  // invalidates `frame`
  }

  bool name(Frame& frame) {
    Frame::Member member;
    member.begin = out_.size();
    if (peek() != '"' || !string(member.key)) return false;
    append_escaped(out_, member.key);
    skip_blanks();
    if (!take(':')) return false;
    skip_blanks();
    out_ += ": ";
    member.value = out_.size();
    frame.members.push_back(std::move(member));
    return true;
  }

  bool close() {
    const Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (frame.object) keep_last_of_each(frame);
    out_ += frame.object ? '}' : ']';
    return true;
  }

  // Keeps the last value of members with the same name, at the position of the first.
  void keep_last_of_each(const Frame& frame) {
    std::unordered_map<std::string_view, std::size_t> last;
    for (std::size_t i = 0; i < frame.members.size(); ++i) last[frame.members[i].key] = i;
    if (last.size() == frame.members.size()) return;
    std::string kept = "{";
    for (const Frame::Member& member : frame.members) {
      const auto at = last.find(member.key);
      if (at == last.end()) continue;
      const Frame::Member& value = frame.members[at->second];
      if (kept.size() > 1) kept += ", ";
      kept.append(out_, member.begin, member.value - member.begin);
      kept.append(out_, value.value, value.end - value.value);
      last.erase(at);
    }
    out_.resize(frame.begin);
    out_ += kept;
  }

  bool string(std::string& text) {
    for (++at_; at_ < text_.size();) {
      const std::size_t end = std::min(text_.find_first_of("\"\\", at_), text_.size());
      for (const char c : text_.substr(at_, end - at_)) {
        if (static_cast<unsigned char>(c) < 0x20) return false;
      }
      text += text_.substr(at_, end - at_);
      at_ = end;
      if (take('"')) return true;
      if (at_ < text_.size() && !escape(text)) return false;
    }
    return false;
  }

  bool escape(std::string& text) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    ++at_;
    const char c = peek();
    const std::size_t letter = at_ < text_.size() ? kLetters.find(c) : std::string_view::npos;
    if (letter != std::string_view::npos) {
      text += kMeanings[letter];
      ++at_;
      return true;
    }
    if (!take('u')) return false;
    auto unit = code_unit();
    if (!unit) return false;
    if (*unit >= 0xD800 && *unit < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
      const std::size_t before = at_;
      at_ += 2;
      const auto low = code_unit();
      if (!low) return false;
      if (*low >= 0xDC00 && *low < 0xE000) {
        unit = 0x10000 + (*unit - 0xD800) * 0x400 + (*low - 0xDC00);
      } else {
        at_ = before;
      }
    }
    append_utf8(text, *unit >= 0xD800 && *unit < 0xE000 ? kReplacement : *unit);
    return true;
  }

  std::optional<char32_t> code_unit() {
    if (text_.size() - at_ < 4) return {};
    std::uint32_t unit = 0;
    const char* const end = text_.data() + at_ + 4;
    if (std::from_chars(text_.data() + at_, end, unit, 16).ptr != end) return {};
    at_ += 4;
    return unit;
  }

  bool digits() {
    const std::size_t from = at_;
    while (is_digit(peek())) ++at_;
    return at_ > from;
  }

  bool number() {
    const std::size_t from = at_;
    take('-');
    if (!take('0') && !digits()) return false;
    const std::size_t whole_end = at_;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      if (!digits()) return false;
    }
    const std::string_view number = text_.substr(from, at_ - from);
    if (at_ == whole_end) {
      out_ += number == "-0" ? "0" : number;
      return true;
    }
    double real = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), real);
    out_ += repr(read.ec == std::errc::result_out_of_range ? out_of_range(number) : real);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<Frame> frames_;
};

}  // namespace

std::optional<std::string> python_json(std::string_view text) {
  return Rewriter(text).run();
}

std::string python_json_string(std::string_view text) {
  std::string out;
  append_escaped(out, text);
  return out;
}

std::string python_json_or_string(std::string_view text) {
  std::optional<std::string> value = python_json(text);
  return value ? *std::move(value) : python_json_string(text);
}

}  // namespace pedro
