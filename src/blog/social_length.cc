#include "blog/social_length.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kAddressLength = 23;
constexpr std::size_t kMaxX = 280;
constexpr std::size_t kMaxBluesky = 300;
constexpr std::size_t kMaxBlueskyBytes = 3000;
constexpr std::size_t kMaxLinkedIn = 3000;
constexpr char32_t kEmojiVariant = 0xFE0F;
constexpr char32_t kFirstEmoji = 0x1F000;
// Top-level domains with more than two letters that may occur without "https://".
constexpr std::array<std::string_view, 34> kDomains = {
    "com",   "org",   "net",  "dev",   "app",   "info",   "edu",    "gov",    "blog",
    "page",  "mil",   "int",  "biz",   "name",  "tech",   "xyz",    "cloud",  "online",
    "site",  "shop",  "news", "live",  "world", "zone",   "media",  "social", "studio",
    "tools", "codes", "wiki", "today", "email", "design", "digital"};

// Returns the weight of a code point on X: 1 in these ranges, else 2. Source:
// https://github.com/twitter/twitter-text.
std::size_t x_weight(char32_t c) {
  const bool light =
      c <= 4351 || (c >= 8192 && c <= 8205) || (c >= 8208 && c <= 8223) || (c >= 8242 && c <= 8247);
  return light ? 1 : 2;
}

// The first code point of a text, or an invalid byte.
struct Taken {
  std::size_t bytes = 1;
  char32_t character = 0xFFFD;
};

Taken take(std::string_view text) {
  const std::size_t bytes = utf8_sequence_length(text);
  if (bytes == 0) return {};
  return {bytes, decode_utf8(text.substr(0, bytes))};
}

// The first grapheme cluster of a text.
struct Cluster {
  std::size_t bytes = 0;
  std::size_t weight = 0;
  bool emoji = false;
};

Cluster first_cluster(std::string_view text) {
  Cluster cluster;
  utf8proc_int32_t state = 0;
  char32_t before = 0;
  while (cluster.bytes < text.size()) {
    const Taken next = take(text.substr(cluster.bytes));
    const bool ends =
        cluster.bytes > 0 && utf8proc_grapheme_break_stateful(
                                 static_cast<utf8proc_int32_t>(before),
                                 static_cast<utf8proc_int32_t>(next.character), &state) != 0;
    if (ends) break;
    cluster.bytes += next.bytes;
    cluster.weight += next.character == 0xFFFD ? 1 : x_weight(next.character);
    cluster.emoji =
        cluster.emoji || next.character >= kFirstEmoji || next.character == kEmojiVariant;
    before = next.character;
  }
  return cluster;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
}

// Returns the host at the start of a text, without dots at its end.
std::string_view host_in_front(std::string_view text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), is_word);
  std::string_view host = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  while (host.ends_with('.')) host.remove_suffix(1);
  return host;
}

// Returns true if a text begins with a domain: "example.com/a" or "a.co". The last label must be a
// known top-level domain or have two letters.
bool begins_with_domain(std::string_view text) {
  const std::string_view host = host_in_front(text);
  const std::size_t dot = host.rfind('.');
  if (dot == host.npos || dot == 0) return false;
  const std::string last = to_lower(host.substr(dot + 1));
  const bool letters = std::all_of(last.begin(), last.end(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
  });
  return letters &&
         (last.size() == 2 || std::find(kDomains.begin(), kDomains.end(), last) != kDomains.end());
}

std::size_t scheme_in_front(std::string_view text) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (text.starts_with(scheme)) return scheme.size();
  }
  return 0;
}

// Returns true if a text begins with "a.b", regardless of the last label. Excludes "localhost".
bool begins_with_host(std::string_view text) {
  return host_in_front(text).find('.') != text.npos;
}

// Returns the bytes of the URL at the start of a text, 0 if there is none.
std::size_t address_in_front(std::string_view text) {
  const std::size_t scheme = scheme_in_front(text);
  const bool begins = scheme > 0 ? begins_with_host(text.substr(scheme)) : begins_with_domain(text);
  if (!begins) return 0;
  const auto* const end = std::find_if(text.begin(), text.end(), [](char c) {
    return c <= ' ' || c == 0x7F || c == '<' || c == '>' || c == '"' ||
           static_cast<unsigned char>(c) >= 0x80;
  });
  std::string_view address = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  while (!address.empty() && std::string_view(".,;:!?)'").find(address.back()) != address.npos) {
    address.remove_suffix(1);
  }
  return address.size();
}

// Returns the NFC of a text, or invalid UTF-8 unchanged.
std::string composed_of(std::string_view text) {
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t bytes =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &made,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (bytes < 0) return std::string(text);
  std::string composed(reinterpret_cast<const char*>(made), static_cast<std::size_t>(bytes));
  std::free(made);
  return composed;
}

}  // namespace

std::size_t x_length(std::string_view given) {
  const std::string composed = composed_of(given);
  std::string_view text = composed;
  std::size_t length = 0;
  bool in_word = false;  // a URL cannot begin inside a word
  while (!text.empty()) {
    if (const std::size_t bytes = in_word ? 0 : address_in_front(text); bytes > 0) {
      length += kAddressLength;
      text.remove_prefix(bytes);
      in_word = true;
      continue;
    }
    const Cluster cluster = first_cluster(text);
    length += cluster.emoji ? 2 : cluster.weight;
    in_word = is_word(text.front()) || text.front() == '@' || text.front() == '_';
    text.remove_prefix(cluster.bytes);
  }
  return length;
}

std::size_t grapheme_count(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_cluster(text).bytes);
  return count;
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(take(text).bytes);
  return count;
}

std::vector<std::string> social_problems(const Json& posts) {
  std::vector<std::string> problems;
  const auto check = [&](const char* service, std::size_t length, std::size_t most,
                         const char* what) {
    if (length <= most) return;
    problems.push_back(fmt::format("{}: {} {}, {} are allowed", service, length, what, most));
  };
  check("x", x_length(text_of(posts, "x")), kMaxX, "characters");
  check("bluesky", grapheme_count(text_of(posts, "bluesky")), kMaxBluesky, "characters");
  check("bluesky", text_of(posts, "bluesky").size(), kMaxBlueskyBytes, "bytes");
  check("linkedin", character_count(text_of(posts, "linkedin")), kMaxLinkedIn, "characters");
  return problems;
}

}  // namespace pedro
