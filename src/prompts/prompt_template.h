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

/// Text with `{{name}}` and `{{include FILE}}` in it, parsed once. Immutable.
class PromptTemplate {
 public:
  /// Parses and resolves includes (at most 8 deep; an included file's front matter is dropped).
  /// Errors (kConfig) are "PLACE:LINE: …": an unclosed `{{`, an empty or odd name, an include that
  /// cannot be read.
  static Result<PromptTemplate> parse(std::string_view place, std::string_view text, int first_line,
                                      const IncludeReader& include);

  /// Fails (kConfig, with place and line) on the first variable that is not among `known`.
  Status check(const std::vector<std::string>& known) const;

  bool uses(std::string_view variable) const;

  /// The text with every variable replaced; values are put in as they are, never parsed again.
  /// Requires that each variable is in `values`; a missing one is an error of that place.
  Result<std::string> render(const std::map<std::string, std::string>& values) const;

 private:
  struct Piece {
    bool is_variable = false;
    std::string text;   // literal text, or the variable's name
    std::string place;  // of a variable: "FILE:LINE"
  };

  static Status parse_into(std::vector<Piece>& pieces, std::string_view place,
                           std::string_view text, int first_line, const IncludeReader& include,
                           int depth);

  std::vector<Piece> pieces_;
};

}  // namespace pedro
