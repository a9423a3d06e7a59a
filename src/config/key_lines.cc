#include <algorithm>

#include "base/json.h"
#include "config/load.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxKeyBytes = 256;

// Returns the position after the string whose opening quote is at `begin`.
std::size_t string_end(std::string_view text, std::size_t begin) {
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

// Decodes a key like the parser: "\u006dodel" is model.
std::string unescape(std::string_view quoted) {
  const Result<Json> text = parse_json(quoted, {.max_bytes = kMaxKeyBytes * 6});
  return text && text->is_string() ? text->get<std::string>() : "";
}

class KeyScanner {
 public:
  explicit KeyScanner(std::string_view text) : text_(text) {}

  std::vector<KeyLine> scan() {
    for (std::size_t at = 0; at < text_.size();) {
      if (text_[at] == '"') {
        const std::size_t end = string_end(text_, at);
        if (at_key()) found_key(text_.substr(at, end - at));
        at = end;
      } else {
        step(text_[at++]);
      }
    }
    return std::move(found_);
  }

 private:
  struct Level {
    std::string prefix;   // path of the keys at this level
    bool counts = false;  // an object whose keys are collected
  };

  bool at_key() const { return expects_key_ && !levels_.empty() && levels_.back().counts; }

  void found_key(std::string_view quoted) {
    expects_key_ = false;
    const std::string& prefix = levels_.back().prefix;
    const std::string key = quoted.size() > kMaxKeyBytes * 6 ? "" : unescape(quoted);
    last_ = prefix.empty() ? key : prefix + "." + key;
    last_is_usable_ = !key.empty() && last_.size() <= kMaxKeyBytes;
    if (last_is_usable_) found_.push_back({last_, line_});
  }

  void step(char c) {
    if (c == '\n') ++line_;
    if (c == ',') expects_key_ = true;
    if (c == '{' || c == '[') open(c == '{');
    if (c == '}' || c == ']') close();
  }

  void open(bool object) {
    const bool root = levels_.empty() && depth_ == 0;
    const bool wanted = root || (!levels_.empty() && levels_.back().counts && last_is_usable_);
    if (++depth_ <= kMaxDepth) {
      levels_.push_back({wanted && !root ? last_ : "", object && wanted});
    } else {
      levels_.back().counts = false;
    }
    expects_key_ = true;
  }

  void close() {
    if (depth_ == 0) return;
    if (depth_-- <= kMaxDepth) levels_.pop_back();
    expects_key_ = false;
  }

  std::string_view text_;
  int line_ = 1;
  std::size_t depth_ = 0;
  std::vector<Level> levels_;
  bool expects_key_ = false;
  std::string last_;
  bool last_is_usable_ = false;
  std::vector<KeyLine> found_;
};

}  // namespace

std::vector<KeyLine> scan_key_lines(std::string_view json) {
  return KeyScanner(json).scan();
}

int line_of(const std::vector<KeyLine>& lines, std::string_view key) {
  for (;;) {
    const auto found = std::find_if(lines.begin(), lines.end(),
                                    [&](const KeyLine& line) { return line.key == key; });
    if (found != lines.end()) return found->line;
    const std::size_t dot = key.rfind('.');
    if (dot == std::string_view::npos) return 1;
    key = key.substr(0, dot);
  }
}

}  // namespace pedro
