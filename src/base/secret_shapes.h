#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Where a secret stands in a text, and what it is called. The name lives elsewhere.
struct SecretSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view name;
};

/// What a user knows: tokens that begin with `prefix`.
struct SecretPrefix {
  std::string name;
  std::string prefix;
};

/// The secrets that are known by how they look: tokens of services, private keys in PEM (also
/// without their beginning, where their end is there, and then perhaps over others), what stands
/// behind a name like `password` or the word Bearer and looks like chance, passwords in URLs,
/// strings that look random, and what begins with one of `prefixes` and has 8 characters more. One
/// pass over the text, whatever it is.
std::vector<SecretSpan> find_secret_shapes(std::string_view text,
                                           const std::vector<SecretPrefix>& prefixes);

/// Whether a variable of that name holds a secret: `DB_PASSWORD`, `apiKey`, `client-secret`.
bool is_secret_name(std::string_view name);

}  // namespace pedro
