#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json.h"
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

/// Searches for any number of literal texts in one pass.
class KnownTexts {
 public:
  static constexpr std::size_t kMinBytes = 4;

  /// Texts shorter than kMinBytes are ignored. For a duplicate text the first name applies.
  void add(std::string name, std::string text);

  bool has(std::string_view text) const;

  /// Returns the occurrences in `text` without overlap, the longest one at each position. The names
  /// are valid until the next add().
  std::vector<SecretSpan> find(std::string_view text) const;

 private:
  struct Known {
    std::string name;
    std::string text;
  };
  const Known* longest_at(std::string_view text) const;

  std::unordered_map<std::uint32_t, std::vector<Known>> by_head_;  // by 4 bytes; the longest first
  std::bitset<1u << 16> begins_;                                   // by 2 bytes
};

/// Replaces secrets in texts by their names: "[masked: GitHub token]". Secrets are
///
/// - matches of the rows of secret_patterns.json;
/// - added values: verbatim, in base64, and escaped for JSON and URLs.
///
/// Each kind takes one pass. Thread-safe: values may be added during masking.
///
///     SecretMask mask;
///     mask.add_value("PASSWORD of .env", "hunter22");
///     mask.mask("login hunter22")  // "login [masked: PASSWORD of .env]"
class SecretMask {
 public:
  /// The maximum number of values; further ones are skipped.
  static constexpr std::size_t kMaxValues = 1024;
  static constexpr std::size_t kMinValueBytes = 8;
  static constexpr std::size_t kMinKeyBytes = 4;

  /// Adds a secret. Skips values of less than 8 bytes, plain words, numbers, paths and URLs:
  /// masking them would hide harmless text.
  void add_value(std::string name, std::string value);

  /// Adds a known secret of any form with at least 4 bytes. Skips words of less than 8 letters, for
  /// example "none".
  void add_key(std::string name, std::string value);

  /// The number of values skipped because of kMaxValues.
  std::size_t left_out() const;

  /// Adds a token prefix. A secret is `prefix` and at least 8 more token characters.
  void add_prefix(std::string name, std::string_view prefix);

  /// Adds the values of a `.env` file with names of the form "NAME of FILE".
  void add_env_file(std::string_view file_name, std::string_view text);

  /// Adds the secrets of a credential file, for example `.npmrc`.
  void add_credential_file(std::string_view file_name, std::string_view text);

  /// Adds each line of the private keys in a PEM file. Lines are masked even if the delimiters of
  /// the key are not in the text.
  void add_key_file(std::string_view file_name, std::string_view text);

  std::string mask(std::string_view text) const;

  /// Returns the names of added values of at least 8 bytes in `text` that are certainly secret.
  /// Their variables have such names (is_secret_name()), or the values are tokens, keys or
  /// addresses with a password. Other values may be in files on purpose. Also finds values that are
  /// wrapped into lines, and those in UTF-16.
  std::set<std::string> certain_secrets_in(std::string_view text) const;

  /// Masks and preserves the number of lines: adds empty lines after the name of a longer secret.
  std::string mask_lines(std::string_view text) const;

 private:
  enum class Lines { kGo, kStay };
  enum class Forms { kAsItIs, kAlsoEncoded };
  std::string mask(std::string_view text, Lines lines) const;
  std::vector<SecretSpan> find(std::string_view text) const;
  void keep(std::string name, std::string value, Forms forms);

  mutable std::shared_mutex mutex_;  // guards all members below
  KnownTexts values_;
  std::set<std::string, std::less<>> certain_;  // names in values_
  std::size_t count_ = 0;
  std::size_t left_out_ = 0;
  std::vector<SecretPattern> prefixes_;
};

/// The prefix of each replacement.
inline constexpr std::string_view kMaskedSecret = "[masked: ";

/// Masks the secrets in all strings of `value`, but not in member names. Returns `value` unchanged
/// if `secrets` is null. Recursion depth equals the depth of the value.
Json masked_json(const SecretMask* secrets, Json value);

/// Masks the secrets in a string. Returns it unchanged if `secrets` is null.
std::string masked_text(const SecretMask* secrets, std::string text);

}  // namespace pedro
