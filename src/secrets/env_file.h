#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

struct NamedValue {
  std::string name;
  std::string value;
};

/// Returns the values of a `.env` file in the syntax of dotenv: NAME=VALUE lines with or without
/// `export`, quoted values, which may have several lines, and comments after values. For a value of
/// several lines, each line is also returned, except lines that begin with "-----".
std::vector<NamedValue> read_env_file(std::string_view text);

/// Returns the secrets of a credential file (.netrc, .npmrc, .pypirc, .aws/credentials). A secret
/// is the word after "password", "_auth" or another secret name, separated by a blank, '=' or ':'.
std::vector<NamedValue> read_credential_file(std::string_view text);

/// Returns the base64 lines of the private keys in `text`. Certificates and other public parts are
/// skipped.
std::vector<std::string_view> private_key_lines(std::string_view text);

}  // namespace pedro
