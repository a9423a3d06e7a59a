#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chat_format/prompt.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Names of tokens in a template's text; see TurnRules.
struct TokenNames {
  std::vector<std::string> control;
  std::vector<std::string> tags;
};

/// Finds the tokens spelled in these texts. They are control tokens, or look like one (<…>, […])
/// and the vocabulary finds them in any text. In the order of occurrence, at most 256. Sends about
/// five requests to a server's tokenizer.
Result<TokenNames> find_token_names(std::span<const std::string> texts, Tokenizer& tokenizer);

/// Splits a template's text, but never inside the name of a token.
class TemplateCutter {
 public:
  TemplateCutter() = default;
  explicit TemplateCutter(TokenNames names);

  const TokenNames& names() const { return names_; }
  /// Adds names.
  void add(const TokenNames& more);

  /// Returns the longest common prefix; "" if hundreds of names overlap at its end.
  std::string_view common_prefix(std::string_view a, std::string_view b) const;
  /// Returns the longest common suffix, as a view of `a`.
  std::string_view common_suffix(std::string_view a, std::string_view b) const;
  /// Returns the end of the first name; npos if there is none.
  std::size_t end_of_first_name(std::string_view text) const;

 private:
  // Returns the name or the part of a UTF-8 sequence that a cut at `at` would split.
  std::optional<ByteRange> whole_at(std::string_view text, std::size_t at) const;

  TokenNames names_;
};

/// Returns the texts before, between and after the marks: one more than marks. Returns nothing
/// unless all marks occur once and in this order.
std::vector<std::string> cut_at_marks(std::string_view text, std::span<const std::string> marks);

/// Removes `end` from the end of `text`. Returns false and changes nothing if it is not there.
bool take_suffix(std::string& text, std::string_view end);
/// Removes `begin` from the start of `text` in the same way.
bool take_prefix(std::string& text, std::string_view begin);

/// A text of a request in one of the templates' spellings, and its variable in a piece.
struct Spelling {
  std::string text;   ///< "\"read_file\""
  std::string value;  ///< "{{name_json}}"
  int owner = 0;      ///< index of the object that it belongs to
};

/// A spelling and its position in a text.
struct SpellingFound {
  std::size_t begin = 0;
  std::size_t end = 0;
  const Spelling* spelling = nullptr;
};

/// Finds all spellings in `text`, in order; at each position the longest. At most 1,000. Borrows
/// `spellings`.
std::vector<SpellingFound> find_spellings(std::string_view text,
                                          std::span<const Spelling> spellings);

/// Returns `text` from `begin` to `end` with its spellings replaced by their values.
std::string with_values(std::string_view text, std::size_t begin, std::size_t end,
                        std::span<const SpellingFound> found);

}  // namespace pedro
