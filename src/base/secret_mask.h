#pragma once

#include <cstddef>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/known_texts.h"
#include "base/secret_patterns.h"

namespace pedro {

/// Replaces secrets in texts by their names: "[masked: GitHub token]". Secrets are
///
/// - the matches of the rows of secret_patterns.json;
/// - values that were added, as they are, in base64, and escaped as in JSON and in addresses.
///
/// Each takes one pass. Thread-safe: values may be added while others mask.
class SecretMask {
 public:
  /// At most this many values; more are left out.
  static constexpr std::size_t kMaxValues = 1024;
  static constexpr std::size_t kMinValueBytes = 8;
  static constexpr std::size_t kMinKeyBytes = 4;

  /// A secret as it is. One of less than 8 bytes, or that is a plain word, a number, a path or an
  /// address, would hide what nobody meant, and is left out.
  void add_value(std::string name, std::string value);

  /// A value that is known to be a secret, whatever it looks like; of at least 4 bytes. A word of
  /// less than 8 letters, such as "none", is still left out.
  void add_key(std::string name, std::string value);

  /// How many values were left out because there were too many.
  std::size_t left_out() const;

  /// What begins with `prefix` and goes on with at least 8 characters of a token.
  void add_prefix(std::string name, std::string_view prefix);

  /// The values of a `.env` file, each called "NAME of FILE".
  void add_env_file(std::string_view file_name, std::string_view text);

  /// The secrets of a file as programs keep them in, such as `.npmrc`.
  void add_credential_file(std::string_view file_name, std::string_view text);

  /// The lines of the private keys in a file in PEM, so that each is hidden also where the first
  /// and the last line of the key are not shown.
  void add_key_file(std::string_view file_name, std::string_view text);

  std::string mask(std::string_view text) const;

  /// Masks and keeps the number of lines: empty lines follow the name of a longer secret.
  std::string mask_lines(std::string_view text) const;

 private:
  enum class Lines { kGo, kStay };
  enum class Forms { kAsItIs, kAlsoEncoded };
  std::string mask(std::string_view text, Lines lines) const;
  std::vector<SecretSpan> find(std::string_view text) const;
  void keep(std::string name, std::string value, Forms forms);

  mutable std::shared_mutex mutex_;  // of all below
  KnownTexts values_;
  std::size_t count_ = 0;
  std::size_t left_out_ = 0;
  std::vector<SecretPattern> prefixes_;
};

/// The beginning of each name that replaces a secret.
inline constexpr std::string_view kMaskedSecret = "[masked: ";

}  // namespace pedro
