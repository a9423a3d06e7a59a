#include "agent/material.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"
#include "markdown/markdown.h"

namespace pedro {
namespace {

// As texts are compared: one blank between words, plain quotation marks and dashes, lower case.
std::string normal(std::string_view text) {
  std::string plain = to_lower(text);
  for (const std::string_view mark : {"\u2018", "\u2019"}) plain = replace_all(plain, mark, "'");
  for (const std::string_view mark : {"\u201C", "\u201D"}) plain = replace_all(plain, mark, "\"");
  for (const std::string_view dash : {"\u2013", "\u2014"}) plain = replace_all(plain, dash, "-");
  std::string out;
  for (const char c : plain) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) out += c;
    if (blank && !out.empty() && out.back() != ' ') out += ' ';
  }
  return std::string(trim(out));
}

}  // namespace

bool Material::has_words(std::string_view words) const {
  const std::string wanted = normal(words);
  if (wanted.empty()) return true;
  for (const Source& source : sources_) {
    if (normal(source.text).find(wanted) != std::string::npos) return true;
  }
  return false;
}

bool Material::has_link(std::string_view address) const {
  if (address.starts_with('#')) return true;  // to a place in the post itself
  for (const Source& source : sources_) {
    if (source.name == address || source.text.find(address) != std::string::npos) return true;
  }
  return false;
}

std::vector<Material::Chunk> Material::chunks(std::size_t max_bytes) const {
  std::vector<Chunk> chunks;
  for (const Source& source : sources_) {
    std::string_view rest = trim(source.text);
    while (!rest.empty()) {
      std::string_view piece = truncate_utf8(rest, max_bytes);
      if (piece.size() < rest.size()) {
        const std::size_t line = piece.rfind('\n');
        if (line != piece.npos && line > piece.size() / 2) piece = piece.substr(0, line + 1);
      }
      chunks.push_back({source.name, std::string(piece)});
      rest.remove_prefix(piece.size());
    }
  }
  return chunks;
}

std::vector<std::string> unsupported(std::string_view markdown, const Material& material) {
  std::vector<std::string> problems;
  const MarkdownFacts facts = read_markdown(markdown);
  for (const std::string& link : facts.links) {
    if (link.empty() || material.has_link(link)) continue;
    problems.push_back(fmt::format("the link {} stands nowhere in the material", link));
  }
  for (const std::string& quote : facts.quotes) {
    if (material.has_words(quote)) continue;
    problems.push_back(fmt::format("the quotation \"{}\" stands nowhere in the material",
                                   cut_middle(quote, 200, "")));
  }
  return problems;
}

}  // namespace pedro
