#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Finds in texts what must reach neither a model nor a journal nor a terminal, and puts a name in
/// its place: "[masked: GitHub token]". What is found:
///
/// - tokens of services that have a shape of their own (AWS, GitHub, GitLab, Google, Slack, …), and
///   JSON web tokens;
/// - private keys in PEM, all of the block;
/// - what is assigned to a name like `password` or `API_KEY`, where it looks like chance: at least
///   16 characters, letters and digits, 3.5 bits in each (Shannon); Bearer and Basic credentials; a
///   password in a URL;
/// - what stands for itself and looks random: 32 to 128 characters of base64 in which lower case,
///   upper case and digits follow each other as by chance, but no hash that says that it is one;
/// - values that were added, as they are.
///
/// It takes one pass, and one for each value that was added. A value; thread-safe once it is made.
class SecretMask {
 public:
  /// At most this many values; more are left out.
  static constexpr std::size_t kMaxValues = 256;
  static constexpr std::size_t kMinValueBytes = 8;
  static constexpr std::size_t kMinKeyBytes = 4;

  /// A secret as it is. One of less than 8 bytes, or that is a plain word, a number, a path or an
  /// address, would hide what nobody meant, and is left out.
  void add_value(std::string name, std::string value);

  /// A value that is known to be a secret, whatever it looks like; of at least 4 bytes. A word of
  /// less than 8 letters, such as "none", is still left out.
  void add_key(std::string name, std::string value);

  /// How many values were left out because there were too many.
  std::size_t left_out() const { return left_out_; }

  /// What begins with `prefix` and goes on with at least 8 characters of a token.
  void add_prefix(std::string name, std::string prefix);

  /// The values of a `.env` file as dotenv reads it: NAME=VALUE lines with or without `export`,
  /// values in quotes, which may have several lines (each counts), and comments behind values.
  void add_env_file(std::string_view file_name, std::string_view text);

  std::string mask(std::string_view text) const;

  /// The same with as many lines as there were: behind the name of what had several stand empty
  /// ones.
  std::string mask_lines(std::string_view text) const;

 private:
  struct Named {
    std::string name;
    std::string text;
  };
  enum class Lines { kGo, kStay };
  std::string mask(std::string_view text, Lines lines) const;
  void keep(std::string name, std::string value);

  std::vector<Named> values_;  // the longest first
  std::size_t left_out_ = 0;
  std::vector<Named> prefixes_;
};

/// What stands in the place of every secret begins with this.
inline constexpr std::string_view kMaskedSecret = "[masked: ";

}  // namespace pedro
