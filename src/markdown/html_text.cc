#include "markdown/html_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMetaBytes = 1024;

constexpr std::array<std::string_view, 8> kLatinSets = {
    "iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1", "windows-1252", "cp1252", "us-ascii"};

// The characters at 0x80 to 0x9F; all other bytes are as in Unicode.
constexpr std::array<char16_t, 32> kHigh = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

std::string from_windows_1252(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(text, byte >= 0x80 && byte < 0xA0 ? kHigh[byte - 0x80u] : byte);
  }
  return text;
}

constexpr std::array<std::string_view, 5> kSkipped = {"script", "style", "noscript", "svg",
                                                      "template"};
constexpr std::array<std::string_view, 22> kBlocks = {
    "p",  "div", "br", "li", "ul", "ol",  "h1",      "h2",      "h3",     "h4",     "h5",
    "h6", "tr",  "td", "th", "hr", "pre", "section", "article", "header", "footer", "title"};

// Limit of the search for the end of a quoted attribute. A page may have a million unclosed tags.
constexpr std::size_t kMaxTagBytes = 4096;
constexpr std::size_t kMaxReferenceBytes = 11;  // from '&' to ';'

template <typename List>
bool holds(const List& list, std::string_view name) {
  for (const std::string_view one : list) {
    if (one == name) return true;
  }
  return false;
}

// The names of U+00A1 to U+00FF, in order
// (https://html.spec.whatwg.org/#named-character-references).
constexpr std::array<std::string_view, 95> kLatinNames = {
    "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",    "copy",
    "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn", "sup2",
    "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",   "raquo",
    "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde", "Auml",
    "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave", "Iacute",
    "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde", "Ouml",
    "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",  "szlig",
    "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil", "egrave",
    "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",    "ntilde",
    "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave", "uacute",
    "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};

// Appends the character of the reference `name`, the text between '&' and ';'. Returns false for an
// unknown one.
bool add_reference(std::string_view name, std::string& out) {
  static constexpr std::pair<std::string_view, char32_t> kNamed[] = {
      {"amp", '&'},       {"lt", '<'},        {"gt", '>'},        {"quot", '"'},
      {"apos", '\''},     {"nbsp", ' '},      {"ensp", ' '},      {"emsp", ' '},
      {"thinsp", ' '},    {"ndash", 0x2013},  {"mdash", 0x2014},  {"lsquo", 0x2018},
      {"rsquo", 0x2019},  {"sbquo", 0x201A},  {"ldquo", 0x201C},  {"rdquo", 0x201D},
      {"bdquo", 0x201E},  {"dagger", 0x2020}, {"bull", 0x2022},   {"hellip", 0x2026},
      {"permil", 0x2030}, {"prime", 0x2032},  {"lsaquo", 0x2039}, {"rsaquo", 0x203A},
      {"euro", 0x20AC},   {"trade", 0x2122},  {"larr", 0x2190},   {"rarr", 0x2192},
      {"minus", 0x2212},  {"infin", 0x221E},  {"ne", 0x2260},     {"le", 0x2264},
      {"ge", 0x2265},     {"OElig", 0x0152},  {"oelig", 0x0153},  {"Scaron", 0x0160},
      {"scaron", 0x0161}};
  for (const auto& [known, character] : kNamed) {
    if (known != name) continue;
    append_utf8(out, character);
    return true;
  }
  if (const auto latin = std::find(kLatinNames.begin(), kLatinNames.end(), name);
      latin != kLatinNames.end()) {
    append_utf8(out, 0xA1 + static_cast<char32_t>(latin - kLatinNames.begin()));
    return true;
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

  // Skips past the '>' that ends a tag. A '>' in a quoted attribute does not end it.
  void skip_tag() {
    char quote = 0;
    char before = 0;
    const std::size_t most = std::min(html_.size(), at_ + kMaxTagBytes);
    for (std::size_t i = at_; i < most; ++i) {
      const char c = html_[i];
      if (quote == 0 && c == '>') {
        at_ = i + 1;
        return;
      }
      if (quote == 0 && before == '=' && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      }
      if (c != ' ') before = c;
    }
    skip_to(">");  // an unclosed quotation
  }

  // Skips to the end tag of an element with this name, in any letter case.
  void skip_content(std::string_view name) {
    while (at_ < html_.size()) {
      const std::size_t close = html_.find("</", at_);
      at_ = std::min(close, html_.size());
      if (to_lower(html_.substr(std::min(at_ + 2, html_.size()), name.size())) == name) return;
      at_ = std::min(at_ + 2, html_.size());
    }
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
    if (name.empty()) {  // a literal "<"
      out_ += '<';
      ++at_;
      return;
    }
    skip_tag();
    if (!closes && holds(kSkipped, name)) {
      return skip_content(name);
    }
    if (holds(kBlocks, name)) end_line();
  }

  void take_reference() {
    const std::string_view near = html_.substr(at_, kMaxReferenceBytes);
    const std::size_t end = near.find(';');
    if (end != near.npos && add_reference(near.substr(1, end - 1), out_)) {
      at_ += end + 1;
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

std::string charset_of_page(std::string_view html) {
  const std::string head = to_lower(html.substr(0, kMetaBytes));
  for (std::size_t at = head.find("<meta"); at != head.npos; at = head.find("<meta", at + 1)) {
    const std::string_view tag = std::string_view(head).substr(at, head.find('>', at) - at);
    const std::size_t name = tag.find("charset=");
    if (name == tag.npos) continue;
    std::string_view value = trim(tag.substr(name + std::string_view("charset=").size()));
    if (value.starts_with('"') || value.starts_with('\'')) value.remove_prefix(1);
    return std::string(value.substr(0, value.find_first_of("\"'; />")));
  }
  return "";
}

std::optional<std::string> decode_text(std::string_view bytes, std::string_view charset) {
  if (bytes.find('\0') != bytes.npos) return {};
  if (charset.empty() || charset == "utf-8" || charset == "utf8") {
    return is_valid_utf8(bytes) ? std::optional<std::string>(bytes) : std::nullopt;
  }
  if (std::find(kLatinSets.begin(), kLatinSets.end(), charset) == kLatinSets.end()) return {};
  return from_windows_1252(bytes);
}

}  // namespace pedro
