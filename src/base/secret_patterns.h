#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_pattern.h"

namespace pedro {

/// The position of a secret in a text, and its name. Borrows the name.
struct SecretSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view name;
};

struct SecretPattern {
  std::string name;
  TextPattern pattern;
};

/// The rows of secret_patterns.json: values of names and options that indicate a secret, tokens of
/// services, private keys. `masks` is text before a secret, the secret in two pieces, text after
/// it; `keeps` is text without one. `{part}` in a pattern is replaced by that part; a part may use
/// the parts above it. A match begins at `\K`.
///
/// Patterns look at bytes, so invalid UTF-8 hides nothing; `[\x80-\xBF]*+` after a byte makes it a
/// character. They take linear time: a repetition is possessive, bounded, or ends in a match.
const std::vector<SecretPattern>& secret_patterns();

/// A row for tokens that begin with `prefix` and have at least 8 more characters.
SecretPattern prefix_pattern(std::string name, std::string_view prefix);

/// Appends the matches of `row` in `text`. If a search exceeds its limit, the rest of the text is
/// one span, so that no unsearched text is shown.
void find_secrets(std::string_view text, const SecretPattern& row, std::vector<SecretSpan>& spans);

/// Returns true if the last word of a name indicates a secret: `DB_PASSWORD`, `apiKey`,
/// `client-secret`.
bool is_secret_name(std::string_view name);

}  // namespace pedro
