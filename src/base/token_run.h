#pragma once

#include <cstddef>
#include <string_view>

#include "base/text.h"

namespace pedro {

// What secrets are made of.

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}
/// Of base64url.
constexpr bool is_id(char c) {
  return is_word(c) || c == '-';
}
/// Of base64 in both alphabets, and what ids of services have.
constexpr bool is_token(char c) {
  return is_id(c) || c == '+' || c == '/' || c == '=' || c == '.' || c == '~';
}

constexpr std::size_t run_length(std::string_view text, bool (*is_one)(char)) {
  std::size_t length = 0;
  while (length < text.size() && is_one(text[length])) ++length;
  return length;
}

/// Of the 512 bytes at `at`: what is looked at to see whether something is a secret, so that no
/// text costs more than linear time.
constexpr std::size_t short_run(std::string_view text, std::size_t at, bool (*is_one)(char)) {
  return at < text.size() ? run_length(text.substr(at, 512), is_one) : 0;
}

/// Where a token ends that goes on beyond what was looked at.
constexpr std::size_t end_of_token(std::string_view text, std::size_t at) {
  return at + run_length(text.substr(at), is_token);
}

}  // namespace pedro
