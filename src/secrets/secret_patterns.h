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
/// services, private keys. `masks` is text before a secret, the secret in two pieces, and text
/// after it. `keeps` is text without a secret. `{part}` in a pattern is replaced by that part; a
/// part may use earlier parts. A match begins at `\K`.
///
/// Patterns match bytes, so invalid UTF-8 cannot hide a secret. `[\x80-\xBF]*+` after a byte
/// extends it to a character. Search time is linear: each repetition is possessive, bounded or ends
/// in a match.
const std::vector<SecretPattern>& secret_patterns();

/// A row for tokens with `prefix` and at least 8 more characters.
SecretPattern prefix_pattern(std::string name, std::string_view prefix);

/// Appends the matches of `row` in `text`. If a search exceeds its limit, one span covers the rest
/// of the text: unsearched text is never shown.
void find_secrets(std::string_view text, const SecretPattern& row, std::vector<SecretSpan>& spans);

/// Returns true if the last word of a name indicates a secret: `DB_PASSWORD`, `apiKey`,
/// `client-secret`.
bool is_secret_name(std::string_view name);

}  // namespace pedro
