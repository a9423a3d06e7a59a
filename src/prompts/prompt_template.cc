#include "prompts/prompt_template.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "prompts/front_matter.h"

namespace pedro {
namespace {

constexpr int kMaxIncludeDepth = 8;
constexpr std::size_t kMaxPieces = 10'000;  // a bound for includes, which multiply

bool is_name(std::string_view name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == name.npos;
}

Error error_at(std::string_view place, std::string_view what) {
  return Error{ErrorKind::kConfig, fmt::format("{}: {}", place, what)};
}

}  // namespace

Status PromptTemplate::parse_into(std::vector<Piece>& pieces, std::string_view place,
                                  std::string_view text, int first_line,
                                  const IncludeReader& include, int depth) {
  int line = first_line;
  while (!text.empty()) {
    const std::size_t open = text.find("{{");
    const std::string_view literal = text.substr(0, open);
    if (!literal.empty()) pieces.push_back({false, std::string(literal), ""});
    if (open == std::string_view::npos) return {};
    line += static_cast<int>(std::count(literal.begin(), literal.end(), '\n'));
    const std::string here = fmt::format("{}:{}", place, line);
    const std::size_t close = text.find("}}", open);
    if (close == std::string_view::npos) return error_at(here, "'{{' without '}}'");
    const std::string_view inside = trim(text.substr(open + 2, close - open - 2));
    text.remove_prefix(close + 2);
    if (pieces.size() > kMaxPieces) return error_at(here, "more than 10000 pieces");
    if (inside.starts_with("include ")) {
      if (depth >= kMaxIncludeDepth) return error_at(here, "includes are nested more than 8 deep");
      const std::string name(trim(inside.substr(8)));
      const Result<std::string> file = include(name);
      if (!file) return file.error().at(here);
      PEDRO_TRY(const FrontMatter front, parse_front_matter(name, *file));
      const std::string_view body =
          front.body.ends_with('\n') ? front.body.substr(0, front.body.size() - 1) : front.body;
      const Status parsed = parse_into(pieces, name, body, front.body_line, include, depth + 1);
      if (!parsed) return parsed;
    } else if (is_name(inside)) {
      pieces.push_back({true, std::string(inside), here});
    } else {
      return error_at(here, fmt::format("expected a variable name, got '{}'", inside));
    }
  }
  return {};
}

Result<PromptTemplate> PromptTemplate::parse(std::string_view place, std::string_view text,
                                             int first_line, const IncludeReader& include) {
  PromptTemplate result;
  PEDRO_RETURN_IF_ERROR(parse_into(result.pieces_, place, text, first_line, include, 0));
  return result;
}

Status PromptTemplate::check(const std::vector<std::string>& known) const {
  for (const Piece& piece : pieces_) {
    if (!piece.is_variable) continue;
    if (std::find(known.begin(), known.end(), piece.text) != known.end()) continue;
    return error_at(piece.place, fmt::format("unknown variable '{}'{}; there are: {}", piece.text,
                                             did_you_mean(piece.text, known), join(known, ", ")));
  }
  return {};
}

bool PromptTemplate::uses(std::string_view variable) const {
  return std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
    return piece.is_variable && piece.text == variable;
  });
}

Result<std::string> PromptTemplate::render(const std::map<std::string, std::string>& values) const {
  std::string out;
  for (const Piece& piece : pieces_) {
    if (!piece.is_variable) {
      out += piece.text;
      continue;
    }
    const auto found = values.find(piece.text);
    if (found == values.end()) {
      return error_at(piece.place, fmt::format("variable '{}' has no value here", piece.text));
    }
    out += found->second;
  }
  return out;
}

}  // namespace pedro
