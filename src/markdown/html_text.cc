#include "markdown/html_text.h"

#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::array<std::string_view, 5> kSkipped = {"script", "style", "noscript", "svg",
                                                      "template"};
constexpr std::array<std::string_view, 22> kBlocks = {
    "p",  "div", "br", "li", "ul", "ol",  "h1",      "h2",      "h3",     "h4",     "h5",
    "h6", "tr",  "td", "th", "hr", "pre", "section", "article", "header", "footer", "title"};

template <typename List>
bool holds(const List& list, std::string_view name) {
  for (const std::string_view one : list) {
    if (one == name) return true;
  }
  return false;
}

// The character that a reference between '&' and ';' stands for, appended; false: none that is
// known.
bool add_reference(std::string_view name, std::string& out) {
  static constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
      {"amp", "&"},        {"lt", "<"},         {"gt", ">"},         {"quot", "\""},
      {"apos", "'"},       {"nbsp", " "},       {"ndash", "\u2013"}, {"mdash", "\u2014"},
      {"lsquo", "\u2018"}, {"rsquo", "\u2019"}, {"ldquo", "\u201C"}, {"rdquo", "\u201D"},
      {"hellip", "\u2026"}};
  for (const auto& [known, text] : kNamed) {
    if (known == name) {
      out += text;
      return true;
    }
  }
  if (!name.starts_with('#')) return false;
  name.remove_prefix(1);
  const bool hex = name.starts_with('x') || name.starts_with('X');
  if (hex) name.remove_prefix(1);
  unsigned code = 0;
  const auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
  if (error != std::errc() || end != name.data() + name.size()) return false;
  if (code == 0 || code > kLastCodePoint || (code >= 0xD800 && code < 0xE000)) return false;
  append_utf8(out, code);
  return true;
}

class PageReader {
 public:
  explicit PageReader(std::string_view html) : html_(html) {}

  std::string read() {
    while (at_ < html_.size()) {
      const char c = html_[at_];
      if (c == '<') {
        take_tag();
      } else if (c == '&') {
        take_reference();
      } else {
        add(c);
        ++at_;
      }
    }
    return std::string(trim(out_));
  }

 private:
  void add(char c) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) {
      out_ += c;
    } else if (!out_.empty() && out_.back() != ' ' && out_.back() != '\n') {
      out_ += ' ';
    }
  }

  void end_line() {
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
  }

  void skip_to(std::string_view mark) {
    const std::size_t end = html_.find(mark, at_);
    at_ = end == html_.npos ? html_.size() : end + mark.size();
  }

  void take_tag() {
    if (html_.substr(at_).starts_with("<!--")) return skip_to("-->");
    std::size_t name_at = at_ + 1;
    const bool closes = name_at < html_.size() && html_[name_at] == '/';
    if (closes) ++name_at;
    std::size_t end = name_at;
    while (end < html_.size() && html_[end] != '>' && html_[end] != ' ' && html_[end] != '/' &&
           html_[end] != '\n' && html_[end] != '\t' && end - name_at < 16) {
      ++end;
    }
    const std::string name = to_lower(html_.substr(name_at, end - name_at));
    if (name.empty()) {  // a "<" of the text
      out_ += '<';
      ++at_;
      return;
    }
    skip_to(">");
    if (!closes && holds(kSkipped, name)) {
      const std::string mark = "</" + name;
      // Case by case: the name as it was written, or in lower case.
      const std::size_t close = html_.find(mark, at_);
      at_ = close == html_.npos ? html_.size() : close;
      return;
    }
    if (holds(kBlocks, name)) end_line();
  }

  void take_reference() {
    const std::size_t end = html_.find(';', at_);
    if (end != html_.npos && end - at_ <= 10 &&
        add_reference(html_.substr(at_ + 1, end - at_ - 1), out_)) {
      at_ = end + 1;
      return;
    }
    out_ += '&';
    ++at_;
  }

  std::string_view html_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string html_to_text(std::string_view html) {
  return PageReader(html).read();
}

}  // namespace pedro
