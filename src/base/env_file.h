#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

struct NamedValue {
  std::string name;
  std::string value;
};

/// The values of a `.env` file as dotenv reads it: NAME=VALUE lines with or without `export`,
/// values in quotes, which may have several lines, and comments behind values. Of a value with
/// several lines also each of them, but for those that begin with "-----".
std::vector<NamedValue> read_env_file(std::string_view text);

/// The secrets of a file that programs keep them in (.netrc, .npmrc, .pypirc, .aws/credentials):
/// the words behind the word "password", "_auth" or another name of a secret, with a blank, '=' or
/// ':' between them.
std::vector<NamedValue> read_credential_file(std::string_view text);

/// The lines of base64 between the first and the last line of the private keys in `text`. Public
/// parts, such as certificates, have none.
std::vector<std::string_view> private_key_lines(std::string_view text);

}  // namespace pedro
