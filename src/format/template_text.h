#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/prompt.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Names of tokens in a template's text; see TurnRules.
struct TokenNames {
  std::vector<std::string> control;
  std::vector<std::string> tags;
};

/// Which tokens are spelled in these texts: those that steer the model, and those that the
/// vocabulary finds in any text and that look like one (<…>, […]). In the order they come in, at
/// most 256. Asks a server's tokenizer some five times.
Result<TokenNames> find_token_names(std::span<const std::string> texts, Tokenizer& tokenizer);

/// Cuts a template's text, never within the name of a token.
class TemplateCutter {
 public:
  TemplateCutter() = default;
  explicit TemplateCutter(TokenNames names);

  const TokenNames& names() const { return names_; }
  /// Knows these names as well.
  void add(const TokenNames& more);

  /// The longest text that both begin with; "" where hundreds of names overlap at its end.
  std::string_view common_prefix(std::string_view a, std::string_view b) const;
  /// The same that both end with; a view of `a`.
  std::string_view common_suffix(std::string_view a, std::string_view b) const;
  /// Where the first name ends; npos where there is none.
  std::size_t end_of_first_name(std::string_view text) const;

 private:
  // The name, or the character, that a cut at `at` would be within.
  std::optional<ByteRange> whole_at(std::string_view text, std::size_t at) const;

  TokenNames names_;
};

/// What stands before, between and behind the marks: one text more than marks. Nothing where they
/// do not all stand in the text, each once and in this order.
std::vector<std::string> cut_at_marks(std::string_view text, std::span<const std::string> marks);

/// Takes `end` from the end of `text`. Where it does not end with that, false, and `text` stays.
bool take_suffix(std::string& text, std::string_view end);
/// The same with what it begins with.
bool take_prefix(std::string& text, std::string_view begin);

}  // namespace pedro
