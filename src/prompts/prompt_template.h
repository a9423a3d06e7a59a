#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// Reads an included prompt file by its name below the prompts folder.
using IncludeReader = std::function<Result<std::string>(const std::string& name)>;

/// A text with `{{name}}` and `{{include FILE}}` in it, parsed once. Immutable.
class PromptTemplate {
 public:
  /// Parses `text` and resolves includes (at most 8 levels; drops the front matter of included
  /// files). Errors (kConfig), as "PLACE:LINE: …": an unclosed `{{`, an empty or invalid name, an
  /// unreadable include, too many pieces.
  static Result<PromptTemplate> parse(std::string_view place, std::string_view text, int first_line,
                                      const IncludeReader& include);

  /// Fails (kConfig, with place and line) on the first variable that is not in `known`.
  Status check(const std::vector<std::string>& known) const;

  bool uses(std::string_view variable) const;

  /// Returns the text with every variable replaced. Values are inserted verbatim and not parsed.
  /// Error (kConfig, with place and line): a variable without a value in `values`.
  Result<std::string> render(const std::map<std::string, std::string>& values) const;

 private:
  struct Piece {
    bool is_variable = false;
    std::string text;   // literal text, or the variable's name
    std::string place;  // location of a variable: "FILE:LINE"
  };

  static Status parse_into(std::vector<Piece>& pieces, std::string_view place,
                           std::string_view text, int first_line, const IncludeReader& include,
                           int depth);

  std::vector<Piece> pieces_;
};

}  // namespace pedro
