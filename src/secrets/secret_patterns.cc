#include "secrets/secret_patterns.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "base/embedded_file.h"
#include "base/json.h"
#include "base/text.h"

namespace pedro {

extern const EmbeddedFile kSecretPatterns[];

namespace {

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

}  // namespace pedro
