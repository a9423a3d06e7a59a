#include "base/secret_shapes.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/base64.h"
#include "base/chance.h"
#include "base/pem_lines.h"
#include "base/service_tokens.h"
#include "base/text.h"
#include "base/token_run.h"

namespace pedro {
namespace {

constexpr std::size_t kMinPrefixRest = 8;
// Of a string that stands for itself: shorter is an id, longer is data.
constexpr std::size_t kMinRandomBytes = 32;
constexpr std::size_t kMaxRandomBytes = 128;
constexpr std::size_t kMaxNameBytes = 64;

// Without what stands between words: apiKey, API_KEY and api-key are one name.
constexpr std::array kSecretNames = {"password",   "passwd",        "passphrase", "secret",
                                     "token",      "apikey",        "accesskey",  "privatekey",
                                     "authkey",    "encryptionkey", "signingkey", "clientkey",
                                     "accountkey", "credential"};

// "auth" of Docker's settings, "_auth" of npm's.
bool is_auth(std::string_view name) {
  return name == "auth" || name == "_auth";
}

// Of base64 of "name:password": what Basic takes.
bool is_name_and_password(std::string_view value) {
  std::string bytes;
  if (value.size() < 8 || !append_base64(bytes, value)) return false;
  const std::size_t colon = bytes.find(':');
  return colon > 0 && colon + 1 < bytes.size() &&
         std::all_of(bytes.begin(), bytes.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// Where a secret is, and not the secret.
bool is_path(std::string_view value) {
  const bool begins = value.starts_with('/') || value.starts_with("./") ||
                      value.starts_with("../") || value.starts_with("~/");
  return begins && value.find('/', 2) != std::string_view::npos && !is_random(value);
}

// A name in front of '=' or ':', and behind that, quoted or not, a value that looks like chance.
std::optional<SecretSpan> find_assigned(std::string_view text, std::size_t at,
                                        std::size_t name_length) {
  const std::string_view name = text.substr(at, name_length);
  std::size_t here = at + name_length;
  const auto skip = [&](std::string_view any) {
    while (here < text.size() && any.find(text[here]) != std::string_view::npos) ++here;
  };
  skip("\"'` \t");
  if (here >= text.size() || (text[here] != '=' && text[here] != ':')) return {};
  if (!is_auth(name) && !is_secret_name(name)) return {};
  ++here;
  skip("=> \t");
  skip("\"'`");
  const std::size_t length = short_run(text, here, is_token);
  const std::string_view value = text.substr(std::min(here, text.size()), length);
  if (is_auth(name) && is_name_and_password(value)) {
    return SecretSpan{here, here + length, "credentials"};
  }
  if (!is_secret_name(name) || !looks_like_chance(value) || is_path(value)) return {};
  const std::size_t end = end_of_token(text, here);
  const bool is_call = end < text.size() && (text[end] == '(' || text[end] == '[');
  if (is_call) return {};
  return SecretSpan{here, end, "a value named like a secret"};
}

// "Bearer xyz", "Basic xyz".
std::optional<SecretSpan> find_credential(std::string_view text, std::size_t at,
                                          std::size_t word_length) {
  const std::string word = to_lower(text.substr(at, word_length));
  if (word != "bearer" && word != "basic") return {};
  const std::size_t begin = at + word_length + 1;
  if (begin >= text.size() || text[begin - 1] != ' ') return {};
  const std::string_view value = text.substr(begin, short_run(text, begin, is_token));
  if (!looks_like_chance(value) && !(word == "basic" && is_name_and_password(value))) return {};
  return SecretSpan{begin, end_of_token(text, begin), "credentials"};
}

// base64 of a private key in PEM, as Kubernetes keeps it.
std::optional<SecretSpan> find_encoded_key(std::string_view text, std::size_t at) {
  constexpr std::string_view kEncoded = "LS0tLS1CRUdJTi";  // "-----BEGIN"
  constexpr std::size_t kLabelBytes = 64;                  // a multiple of 4
  const std::string_view label = text.substr(at, kLabelBytes);
  std::string bytes;
  if (!label.starts_with(kEncoded) || label.size() < kLabelBytes) return {};
  append_base64(bytes, label);
  if (bytes.find("PRIVATE KEY") == std::string::npos) return {};
  return SecretSpan{at, end_of_token(text, at), "private key"};
}

// "://user:password@": `at` is behind the "://".
std::optional<SecretSpan> find_url_password(std::string_view text, std::size_t at) {
  constexpr std::size_t kMaxBytes = 256;
  const std::string_view rest = text.substr(at, kMaxBytes);
  const std::size_t end = rest.find_first_of("@ \n\"'<>");
  if (end == std::string_view::npos || rest[end] != '@') return {};
  const std::size_t colon = rest.substr(0, end).find_first_of(":/");
  if (colon == std::string_view::npos || rest[colon] != ':' || colon + 1 >= end) return {};
  const std::string_view password = rest.substr(colon + 1, end - colon - 1);
  // A port, and a path with an @ in it.
  const std::size_t slash = password.find('/');
  if (slash != std::string_view::npos && run_length(password, is_digit) == slash) return {};
  if (password.starts_with('$') || password.starts_with('{')) return {};  // filled in elsewhere
  return SecretSpan{at + colon + 1, at + end, "password in a URL"};
}

// What is no secret by its begin or what stands in front of it: a hash, data in an address, a C++
// symbol, a public key.
bool is_known_kind(std::string_view before, std::string_view run) {
  for (const std::string_view hash : {"sha1", "sha256", "sha384", "sha512", "md5", "h1"}) {
    const bool in_front = before.size() > hash.size() &&
                          (before.back() == ':' || before.back() == '=') &&
                          before.substr(0, before.size() - 1).ends_with(hash);
    if (in_front || (run.starts_with(hash) && run.substr(hash.size()).starts_with('-'))) {
      return true;
    }
  }
  // The begin of SSH's public keys is their kind: ssh-ed25519, ssh-rsa, ecdsa-sha2.
  for (const std::string_view key : {"AAAAC3NzaC1", "AAAAB3NzaC1", "AAAAE2VjZHNhLXNoYTI"}) {
    if (run.starts_with(key)) return true;
  }
  return before.ends_with("base64,") || run.starts_with("_Z");
}

// A string of no known shape or name that looks random: keys of services that nobody knows. Hashes
// in hexadecimal and ids do not have letters of both cases; lines of 64 or 76 characters are PEM
// and MIME.
std::optional<SecretSpan> find_random(std::string_view text, std::size_t at) {
  if (at > 0 && is_token(text[at - 1]) && text[at - 1] != '=') return {};
  const std::size_t length = run_length(text.substr(at, kMaxRandomBytes + 1), [](char c) {
    return is_word(c) || c == '-' || c == '+' || c == '/';
  });
  if (length < kMinRandomBytes || length > kMaxRandomBytes) return {};
  const std::string_view run = text.substr(at, length);
  const std::size_t end =
      at + length + run_length(text.substr(at + length), [](char c) { return c == '='; });
  const bool is_call = end < text.size() && text[end] == '(';
  const bool is_line = (at == 0 || text[at - 1] == '\n') &&
                       (end == text.size() || text[end] == '\n' || text[end] == '\r');
  if (is_call || (is_line && (end - at == 64 || end - at == 76))) return {};
  if (is_known_kind(text.substr(0, at), run) || !is_random(run)) return {};
  return SecretSpan{at, end, "a string that looks random"};
}

std::optional<SecretSpan> find_at_word(std::string_view text, std::size_t at,
                                       std::size_t word_length) {
  if (auto found = find_service_token(text, at)) return found;
  if (auto found = find_credential(text, at, word_length)) return found;
  if (auto found = find_encoded_key(text, at)) return found;
  const std::size_t name_length =
      run_length(text.substr(at, kMaxNameBytes), [](char c) { return is_id(c) || c == '.'; });
  if (auto found = find_assigned(text, at, name_length)) return found;
  return find_random(text, at);
}

std::optional<SecretSpan> find_prefixed(std::string_view text, std::size_t at,
                                        const std::vector<SecretPrefix>& prefixes) {
  for (const SecretPrefix& one : prefixes) {
    if (!text.substr(at).starts_with(one.prefix)) continue;
    const std::size_t rest = run_length(text.substr(at + one.prefix.size()), is_token);
    if (rest >= kMinPrefixRest) return SecretSpan{at, at + one.prefix.size() + rest, one.name};
  }
  return {};
}

}  // namespace

bool is_secret_name(std::string_view name) {
  std::string lower = to_lower(name);
  std::replace(lower.begin(), lower.end(), '-', '_');
  if (lower == "pass" || lower.ends_with("_pass")) return true;
  if (lower.find("tokeniz") != std::string::npos) return false;  // a program, not a token
  std::erase(lower, '_');
  return std::any_of(kSecretNames.begin(), kSecretNames.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

std::vector<SecretSpan> find_secret_shapes(std::string_view text,
                                           const std::vector<SecretPrefix>& prefixes) {
  std::vector<SecretSpan> spans;
  std::size_t behind_key = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::optional<SecretSpan> found;
    std::size_t step = 1;
    if (text[at] == '\\') {
      step = 2;  // what is escaped begins no word
    } else if (is_word(text[at])) {
      step = run_length(text.substr(at), is_word);
      found = find_at_word(text, at, step);
      if (!found) found = find_prefixed(text, at, prefixes);
    } else if (text.substr(at).starts_with("-----")) {
      const auto key = private_key_at(text, at, behind_key);
      if (key) found = SecretSpan{key->begin, behind_key = key->end, "private key"};
    } else if (text.substr(at).starts_with("://")) {
      step = 3;
      found = find_url_password(text, at + step);
    }
    if (found) spans.push_back(*found);
    at = found ? found->end : at + step;
  }
  return spans;
}

}  // namespace pedro
