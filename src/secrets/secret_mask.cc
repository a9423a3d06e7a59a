#include "secrets/secret_mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/base64.h"
#include "base/embedded_file.h"
#include "base/text.h"

namespace pedro {

std::string masked_text(const SecretMask* secrets, std::string text) {
  return secrets == nullptr ? std::move(text) : secrets->mask(text);
}

Json masked_json(const SecretMask* secrets, Json value) {
  if (secrets == nullptr) return value;
  if (auto* text = value.get_ptr<Json::string_t*>()) {
    *text = secrets->mask(*text);
  } else if (value.is_structured()) {
    for (Json& one : value) one = masked_json(secrets, std::move(one));
  }
  return value;
}

extern const EmbeddedFile kSecretPatterns[];

namespace {

std::uint32_t head_of(std::string_view text) {
  std::uint32_t head = 0;
  std::memcpy(&head, text.data(), sizeof head);
  return head;
}

std::size_t begin_of(std::string_view text) {
  return static_cast<unsigned char>(text[0]) << 8u | static_cast<unsigned char>(text[1]);
}

struct NamedValue {
  std::string name;
  std::string value;
};

struct EnvValue {
  std::string_view text;
  std::size_t used = 0;  // bytes, quotes included
};

// `text` begins after the '='. A quoted value may have several lines. An unquoted value ends at the
// end of the line or at a comment, which begins after a blank.
EnvValue env_value(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size() && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
  const char quote = begin < text.size() ? text[begin] : '\0';
  if (quote == '"' || quote == '\'' || quote == '`') {
    for (std::size_t at = begin + 1; at < text.size(); ++at) {
      if (text[at] == '\\' && quote == '"') {
        ++at;
      } else if (text[at] == quote) {
        return {text.substr(begin + 1, at - begin - 1), at + 1};
      }
    }
  }
  std::string_view line = text.substr(0, text.find('\n'));
  for (std::size_t at = 1; at < line.size(); ++at) {
    if (line[at] == '#' && (line[at - 1] == ' ' || line[at - 1] == '\t')) line = line.substr(0, at);
  }
  return {trim(line), line.size()};
}

void add_value(std::vector<NamedValue>& values, const std::string& name, std::string_view text) {
  values.push_back({name, std::string(text)});
  for (const std::string_view line : split_lines(text)) {
    if (line.size() < text.size() && !line.starts_with("-----")) {
      values.push_back({name, std::string(trim(line))});
    }
  }
}

bool is_base64(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '/' ||
         c == '=';
}

// Returns the values of a `.env` file in the syntax of dotenv. It has NAME=VALUE lines with or
// without `export`, quoted values of one or more lines, and comments after values. For a value of
// several lines, each line is also returned, except lines that begin with "-----".
std::vector<NamedValue> read_env_file(std::string_view text) {
  std::vector<NamedValue> values;
  while (!text.empty()) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, line_end);
    const std::size_t equals = line.find('=');
    std::string_view name = trim(line.substr(0, equals));
    std::size_t used = std::min(line_end + 1, text.size());
    if (!name.starts_with('#') && equals != std::string_view::npos) {
      if (name.starts_with("export ")) name = trim(name.substr(7));
      const EnvValue value = env_value(text.substr(equals + 1));
      add_value(values, std::string(name), value.text);
      used = std::max(used, equals + 1 + value.used);
    }
    text.remove_prefix(std::min(used, text.size()));
  }
  return values;
}

// Returns the secrets of a credential file (.netrc, .npmrc, .pypirc, .aws/credentials). A secret
// is the word after "password", "_auth" or another secret name, separated by a blank, '=' or ':'.
std::vector<NamedValue> read_credential_file(std::string_view text) {
  std::vector<NamedValue> values;
  for (const std::string_view line : split_lines(std::string_view(text))) {
    if (trim(line).starts_with('#') || trim(line).starts_with(';')) continue;
    std::string_view name;
    for (std::size_t at = 0; at < line.size();) {
      constexpr std::string_view kBetween = " \t\r=\"',";
      const std::size_t begin = line.find_first_not_of(kBetween, at);
      if (begin == line.npos) break;
      // A secret may contain '='.
      at = std::min(line.find_first_of(name.empty() ? " \t\r=" : " \t\r\"',", begin), line.size());
      const std::string_view word = line.substr(begin, at - begin);
      if (!name.empty()) values.push_back({std::string(name), std::string(word)});
      std::string_view key =
          word.substr(word.rfind(':') + 1);  // "//registry.npmjs.org/:_authToken"
      if (word.ends_with(':')) key = word.substr(0, word.size() - 1);
      while (key.ends_with('"') || key.ends_with(':')) key.remove_suffix(1);
      name = name.empty() && (key == "_auth" || key == "auth" || is_secret_name(key)) ? key : "";
    }
  }
  return values;
}

// Returns the base64 lines of the private keys in `text`. Certificates and other public parts are
// skipped.
std::vector<std::string_view> private_key_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  bool in_key = false;
  for (const std::string_view whole : split_lines(std::string_view(text))) {
    const std::string_view line = trim(whole);
    if (line.starts_with("-----")) {
      in_key = line.starts_with("-----BEGIN ") && line.find("PRIVATE KEY") != line.npos;
    } else if (in_key && !line.empty() && std::all_of(line.begin(), line.end(), is_base64)) {
      lines.push_back(line);
    }
  }
  return lines;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_all(std::string_view text, bool (*is_one)(char)) {
  return std::all_of(text.begin(), text.end(), is_one);
}

// Returns true for values that are not secrets; masking them would hide harmless text.
bool is_plain(std::string_view value) {
  const bool number = is_all(value, [](char c) { return is_digit(c) || c == '.' || c == ':'; });
  const bool address =
      value.find("://") != std::string_view::npos && value.find('@') == std::string_view::npos;
  return is_all(value, is_letter) || number || address || value.starts_with('/') ||
         value.starts_with("localhost");
}

// The characters of base64 text that depend on `value` alone, in both alphabets. There is one form
// per offset of `value` in a group of three bytes.
std::vector<std::string> base64_forms(std::string_view value) {
  std::vector<std::string> forms;
  for (std::size_t in_front = 0; in_front < 3; ++in_front) {
    const std::string bytes = std::string(in_front, '\0') += value;
    const std::size_t begin = (in_front * 8 + 5) / 6;
    const std::size_t end = bytes.size() * 8 / 6;
    forms.push_back(to_base64(bytes).substr(begin, end - begin));
    std::string url = replace_all(replace_all(forms.back(), "+", "-"), "/", "_");
    if (url != forms.back()) forms.push_back(std::move(url));
  }
  return forms;
}

std::string percent_encoded(std::string_view value) {
  std::string out;
  for (const char c : value) {
    const bool plain =
        is_letter(c) || is_digit(c) || std::string_view("-._~").find(c) != value.npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// The forms of the value in JSON, with and without escaped slashes, and in a URL.
std::vector<std::string> escaped_forms(std::string_view value) {
  const std::string line = to_line(Json(value));
  const std::string json = line.substr(1, line.size() - 2);
  return {json, replace_all(json, "/", "\\/"), percent_encoded(value)};
}

std::string name_in(std::string_view name, std::string_view file) {
  std::string out(name);
  return (out += " of ") += file;
}

// Returns true if the variable's name or the value alone shows that this is a secret.
bool is_certain(std::string_view name, std::string_view value) {
  if (is_secret_name(name.substr(0, name.find(" of ")))) return true;
  std::vector<SecretSpan> spans;
  for (const SecretPattern& row : secret_patterns()) find_secrets(value, row, spans);
  return !spans.empty();
}

// Merges overlapping spans under the name of the first one.
std::vector<SecretSpan> joined(std::vector<SecretSpan> spans) {
  std::stable_sort(spans.begin(), spans.end(),
                   [](const SecretSpan& a, const SecretSpan& b) { return a.begin < b.begin; });
  std::vector<SecretSpan> out;
  for (const SecretSpan& span : spans) {
    if (!out.empty() && span.begin < out.back().end) {
      out.back().end = std::max(out.back().end, span.end);
    } else {
      out.push_back(span);
    }
  }
  return out;
}

std::string joined_pieces(const Json& text) {
  std::string out;
  for (const Json& piece : text) out += piece.get<std::string>();
  return out;
}

const Json& pattern_file() {
  static const Json file = parse_json(kSecretPatterns[0].bytes).value();
  return file;
}

// Replaces {name} by that part. A part may use earlier parts.
TextPattern compile_secret(std::string pattern) {
  const Json& parts = member(pattern_file(), "parts");
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    pattern = replace_all(pattern, "{" + part.key() + "}", joined_pieces(*part));
  }
  Result<TextPattern> compiled = TextPattern::compile(pattern, TextPattern::Unit::kByte);
  assert(compiled.ok());
  return std::move(*compiled);
}

}  // namespace

const std::vector<SecretPattern>& secret_patterns() {
  static const std::vector<SecretPattern> rows = [] {
    std::vector<SecretPattern> all;
    for (const Json& row : member(pattern_file(), "rows")) {
      all.push_back({text_of(row, "name"), compile_secret(joined_pieces(member(row, "pattern")))});
    }
    return all;
  }();
  return rows;
}

SecretPattern prefix_pattern(std::string name, std::string_view prefix) {
  std::string pattern = "{start}";
  for (const unsigned char byte : prefix) pattern += fmt::format("\\x{:02x}", byte);
  return {std::move(name), compile_secret(pattern + "[\\w+/=.~-]{8,}")};
}

void find_secrets(std::string_view text, const SecretPattern& row, std::vector<SecretSpan>& spans) {
  std::vector<TextRange> found;
  const Status searched = row.pattern.find_all(text, found);
  for (const TextRange& match : found) spans.push_back({match.begin, match.end, row.name});
  if (searched.ok()) return;
  spans.push_back({found.empty() ? 0 : found.back().end, text.size(), "text not searched"});
}

bool is_secret_name(std::string_view name) {
  static const TextPattern pattern = compile_secret("{name}\\z");
  std::vector<TextRange> found;
  return !pattern.find_all(name, found).ok() || !found.empty();
}

void KnownTexts::add(std::string name, std::string text) {
  if (text.size() < kMinBytes || has(text)) return;
  begins_.set(begin_of(text));
  std::vector<Known>& list = by_head_[head_of(text)];
  const auto shorter = std::find_if(
      list.begin(), list.end(), [&](const Known& one) { return one.text.size() < text.size(); });
  list.insert(shorter, {std::move(name), std::move(text)});
}

bool KnownTexts::has(std::string_view text) const {
  if (text.size() < kMinBytes) return false;
  const Known* known = longest_at(text);
  return known != nullptr && known->text == text;
}

const KnownTexts::Known* KnownTexts::longest_at(std::string_view text) const {
  const auto list = by_head_.find(head_of(text));
  if (list == by_head_.end()) return nullptr;
  for (const Known& one : list->second) {
    if (text.starts_with(one.text)) return &one;
  }
  return nullptr;
}

std::vector<SecretSpan> KnownTexts::find(std::string_view text) const {
  std::vector<SecretSpan> spans;
  if (by_head_.empty()) return spans;
  for (std::size_t at = 0; at + kMinBytes <= text.size(); ++at) {
    if (!begins_.test(begin_of(text.substr(at)))) continue;
    const Known* known = longest_at(text.substr(at));
    if (known == nullptr) continue;
    spans.push_back({at, at + known->text.size(), known->name});
    at = spans.back().end - 1;
  }
  return spans;
}

void SecretMask::keep(std::string name, std::string value, Forms forms) {
  const std::unique_lock lock(mutex_);
  if (values_.has(value)) return;
  if (count_ >= kMaxValues) {
    ++left_out_;
    return;
  }
  ++count_;
  const bool certain = is_certain(name, value);
  if (certain) certain_.insert(name);
  if (forms == Forms::kAlsoEncoded && value.size() >= kMinValueBytes) {
    if (certain) certain_.insert(name + " in base64");
    for (std::string& form : base64_forms(value)) values_.add(name + " in base64", std::move(form));
    for (std::string& form : escaped_forms(value)) values_.add(name, std::move(form));
  }
  values_.add(std::move(name), std::move(value));
}

void SecretMask::add_value(std::string name, std::string value) {
  if (value.size() < kMinValueBytes || is_plain(value)) return;
  keep(std::move(name), std::move(value), Forms::kAlsoEncoded);
}

void SecretMask::add_key(std::string name, std::string value) {
  if (value.size() < kMinKeyBytes) return;
  if (value.size() < kMinValueBytes && is_all(value, is_letter)) return;
  keep(std::move(name), std::move(value), Forms::kAlsoEncoded);
}

std::set<std::string> SecretMask::certain_secrets_in(std::string_view text) const {
  std::string squeezed;  // without line ends and the zeros of UTF-16
  for (const char c : text) {
    if (c != '\n' && c != '\r' && c != '\0') squeezed += c;
  }
  const std::shared_lock lock(mutex_);
  std::set<std::string> names;
  for (const std::string_view form : {text, std::string_view(squeezed)}) {
    for (const SecretSpan& span : values_.find(form)) {
      const bool is_long = span.end - span.begin >= kMinValueBytes;
      if (is_long && certain_.contains(span.name)) names.emplace(span.name);
    }
  }
  return names;
}

std::size_t SecretMask::left_out() const {
  const std::shared_lock lock(mutex_);
  return left_out_;
}

void SecretMask::add_prefix(std::string name, std::string_view prefix) {
  const std::unique_lock lock(mutex_);
  if (!prefix.empty()) prefixes_.push_back(prefix_pattern(std::move(name), prefix));
}

void SecretMask::add_env_file(std::string_view file_name, std::string_view text) {
  for (NamedValue& one : read_env_file(text)) {
    // A key in one line, which a program splits.
    if (one.value.find("\\n") != one.value.npos) {
      add_key_file(file_name, replace_all(one.value, "\\n", "\n"));
    }
    add_value(name_in(one.name, file_name), std::move(one.value));
  }
}

void SecretMask::add_credential_file(std::string_view file_name, std::string_view text) {
  for (NamedValue& one : read_credential_file(text)) {
    const bool elsewhere = one.value.starts_with('$');  // refers to a variable
    if (!elsewhere) add_key(name_in(one.name, file_name), std::move(one.value));
  }
}

void SecretMask::add_key_file(std::string_view file_name, std::string_view text) {
  for (const std::string_view line : private_key_lines(text)) {
    if (line.size() < kMinValueBytes) continue;
    keep(name_in("private key", file_name), std::string(line), Forms::kAsItIs);
  }
}

std::string SecretMask::mask(std::string_view text) const {
  return mask(text, Lines::kGo);
}

std::string SecretMask::mask_lines(std::string_view text) const {
  return mask(text, Lines::kStay);
}

std::vector<SecretSpan> SecretMask::find(std::string_view text) const {
  std::vector<SecretSpan> spans = values_.find(text);
  for (const SecretPattern& row : secret_patterns()) find_secrets(text, row, spans);
  for (const SecretPattern& row : prefixes_) find_secrets(text, row, spans);
  return joined(std::move(spans));
}

std::string SecretMask::mask(std::string_view text, Lines lines) const {
  const std::shared_lock lock(mutex_);  // the names in the spans belong to values_ and prefixes_
  std::string out;
  std::size_t copied = 0;
  for (const SecretSpan& span : find(text)) {
    const std::string_view secret = text.substr(span.begin, span.end - span.begin);
    out += text.substr(copied, span.begin - copied);
    (((out += kMaskedSecret) += span.name) += ']');
    if (lines == Lines::kStay) {
      out.append(static_cast<std::size_t>(std::count(secret.begin(), secret.end(), '\n')), '\n');
    }
    copied = span.end;
  }
  out += text.substr(copied);
  return out;
}

}  // namespace pedro
