#include "base/secret_mask.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMinChanceBytes = 16;
constexpr double kMinBitsPerByte = 3.5;
constexpr std::size_t kMinPrefixRest = 8;
// Of a string that stands for itself: shorter is an id, longer is data.
constexpr std::size_t kMinRandomBytes = 32;
constexpr std::size_t kMaxRandomBytes = 128;
// What is looked at to see whether something is a secret; so no text costs more than linear time.
constexpr std::size_t kLookedAtBytes = 512;
constexpr std::size_t kMaxNameBytes = 64;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}
// Of base64 in both alphabets, and what ids of services have.
bool is_token(char c) {
  return is_word(c) || c == '-' || c == '+' || c == '/' || c == '=' || c == '.' || c == '~';
}

// How the tokens of a service look: a prefix and so many characters of [A-Za-z0-9_-] at least.
struct TokenShape {
  std::string_view prefix;
  std::size_t rest;
  std::string_view name;
};

constexpr std::array kShapes = {
    TokenShape{"sk-ant-", 20, "Anthropic key"},
    TokenShape{"sk-", 20, "OpenAI key"},
    TokenShape{"ghp_", 30, "GitHub token"},
    TokenShape{"gho_", 30, "GitHub token"},
    TokenShape{"ghu_", 30, "GitHub token"},
    TokenShape{"ghs_", 30, "GitHub token"},
    TokenShape{"ghr_", 30, "GitHub token"},
    TokenShape{"github_pat_", 22, "GitHub token"},
    TokenShape{"glpat-", 20, "GitLab token"},
    TokenShape{"xoxb-", 20, "Slack token"},
    TokenShape{"xoxp-", 20, "Slack token"},
    TokenShape{"xoxa-", 20, "Slack token"},
    TokenShape{"xapp-", 20, "Slack token"},
    TokenShape{"AKIA", 16, "AWS access key"},
    TokenShape{"ASIA", 16, "AWS access key"},
    TokenShape{"AIza", 35, "Google key"},
    TokenShape{"ya29.", 20, "Google token"},
    TokenShape{"hf_", 30, "Hugging Face token"},
    TokenShape{"npm_", 36, "npm token"},
    TokenShape{"pypi-AgE", 40, "PyPI token"},
    TokenShape{"sk_live_", 20, "Stripe key"},
    TokenShape{"rk_live_", 20, "Stripe key"},
    TokenShape{"dop_v1_", 40, "DigitalOcean token"},
    TokenShape{"sk_test_", 20, "Stripe key"},
    TokenShape{"rk_test_", 20, "Stripe key"},
    TokenShape{"whsec_", 20, "Stripe key"},
    TokenShape{"AGE-SECRET-KEY-1", 58, "age key"},
};

constexpr std::array kSecretNames = {"password",    "passwd",   "passphrase",     "secret",
                                     "token",       "api_key",  "apikey",         "access_key",
                                     "private_key", "auth_key", "encryption_key", "signing_key",
                                     "credential"};

struct Found {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view name;
};

std::size_t run_length(std::string_view text, bool (*is_one)(char)) {
  std::size_t length = 0;
  while (length < text.size() && is_one(text[length])) ++length;
  return length;
}

std::size_t short_run(std::string_view text, std::size_t at, bool (*is_one)(char)) {
  return at < text.size() ? run_length(text.substr(at, kLookedAtBytes), is_one) : 0;
}

// Its end, where it goes on beyond what was looked at.
std::size_t end_of_token(std::string_view text, std::size_t at) {
  return at + run_length(text.substr(at), is_token);
}

bool looks_like_chance(std::string_view value) {
  if (value.size() < kMinChanceBytes) return false;
  std::array<int, 256> counts = {};
  int digits = 0;
  int letters = 0;
  for (const char c : value) {
    ++counts[static_cast<unsigned char>(c)];
    digits += is_digit(c) ? 1 : 0;
    letters += is_letter(c) ? 1 : 0;
  }
  if (digits < 2 || letters < 2) return false;
  double bits = 0;
  for (const int count : counts) {
    if (count == 0) continue;
    const double share = count / static_cast<double>(value.size());
    bits -= share * std::log2(share);
  }
  return bits >= kMinBitsPerByte;
}

bool is_secret_name(std::string_view name) {
  const std::string lower = replace_all(to_lower(name), "-", "_");
  if (lower == "pass" || lower.ends_with("_pass")) return true;
  return std::any_of(kSecretNames.begin(), kSecretNames.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

// `text` begins where a word does.
std::optional<Found> find_shape(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  for (const TokenShape& shape : kShapes) {
    if (!rest.starts_with(shape.prefix)) continue;
    const std::size_t length =
        run_length(rest.substr(shape.prefix.size()), [](char c) { return is_word(c) || c == '-'; });
    if (length >= shape.rest) return Found{at, at + shape.prefix.size() + length, shape.name};
  }
  return {};
}

// "SG.….…", "hooks.slack.com/services/T…/B…/…", and bots of Telegram: "123456789:AA…".
std::optional<Found> find_longer_shape(std::string_view text, std::size_t at) {
  constexpr std::string_view kWebhook = "hooks.slack.com/services/";
  const std::string_view rest = text.substr(at);
  const auto is_id = [](char c) { return is_word(c) || c == '-'; };
  if (rest.starts_with(kWebhook)) {
    const std::size_t begin = at + kWebhook.size();
    const std::size_t length = short_run(text, begin, is_token);
    if (length < 20) return {};
    return Found{begin, end_of_token(text, begin), "Slack webhook"};
  }
  if (rest.starts_with("SG.")) {
    const std::size_t first = short_run(text, at + 3, is_id);
    const std::size_t dot = at + 3 + first;
    if (first < 16 || dot >= text.size() || text[dot] != '.') return {};
    if (short_run(text, dot + 1, is_id) < 30) return {};
    return Found{at, end_of_token(text, dot), "SendGrid key"};
  }
  const std::size_t digits = run_length(rest.substr(0, 12), is_digit);
  if (digits < 8 || digits > 10 || !rest.substr(digits).starts_with(":AA")) return {};
  const std::size_t length = short_run(text, at + digits + 1, is_id);
  if (length < 33 || length > 37) return {};
  return Found{at, at + digits + 1 + length, "Telegram bot's token"};
}

// Three parts in base64url, of which the first is a JSON object: "eyJ…".
std::optional<Found> find_web_token(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("eyJ")) return {};
  std::size_t end = at;
  for (int part = 0; part < 3; ++part) {
    const std::size_t length = short_run(text, end, [](char c) { return is_word(c) || c == '-'; });
    if (length < 10) return {};
    end += length;
    if (part == 2) break;
    if (end >= text.size() || text[end] != '.') return {};
    ++end;
  }
  return Found{at, end_of_token(text, end), "JSON web token"};
}

// From "-----BEGIN … PRIVATE KEY-----" to its end, or to the text's.
std::optional<Found> find_private_key(std::string_view text, std::size_t at) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kEnd = "-----END ";
  const std::string_view rest = text.substr(at);
  if (!rest.starts_with(kBegin)) return {};
  const std::size_t line = std::min(rest.find('\n'), rest.size());
  if (rest.substr(0, std::min<std::size_t>(line, 100)).find("PRIVATE KEY") ==
      std::string_view::npos) {
    return {};
  }
  std::size_t end = rest.find(kEnd);
  if (end == std::string_view::npos) return Found{at, text.size(), "private key"};
  end = rest.find("-----", end + kEnd.size());
  end = end == std::string_view::npos ? rest.size() : end + 5;
  return Found{at, at + end, "private key"};
}

// A name in front of '=' or ':', and behind that, quoted or not, a value that looks like chance.
std::optional<Found> find_assigned(std::string_view text, std::size_t at, std::size_t name_length) {
  const std::string_view name = text.substr(at, name_length);
  std::size_t here = at + name_length;
  const auto skip = [&](std::string_view any) {
    while (here < text.size() && any.find(text[here]) != std::string_view::npos) ++here;
  };
  skip("\"'` ");
  if (here >= text.size() || (text[here] != '=' && text[here] != ':')) return {};
  if (!is_secret_name(name)) return {};
  ++here;
  skip("=> ");
  skip("\"'`");
  const std::size_t length = short_run(text, here, is_token);
  if (!looks_like_chance(text.substr(std::min(here, text.size()), length))) return {};
  const std::size_t end = end_of_token(text, here);
  const bool is_call = end < text.size() && (text[end] == '(' || text[end] == '[');
  if (is_call) return {};
  return Found{here, end, "a value named like a secret"};
}

// "Bearer xyz", "Basic xyz".
std::optional<Found> find_credential(std::string_view text, std::size_t at,
                                     std::size_t word_length) {
  const std::string word = to_lower(text.substr(at, word_length));
  if (word != "bearer" && word != "basic") return {};
  const std::size_t begin = at + word_length + 1;
  if (begin >= text.size() || text[begin - 1] != ' ') return {};
  const std::size_t length = short_run(text, begin, is_token);
  if (!looks_like_chance(text.substr(begin, length))) return {};
  return Found{begin, end_of_token(text, begin), "credentials"};
}

// "://user:password@": `at` is behind the "://".
std::optional<Found> find_url_password(std::string_view text, std::size_t at) {
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
  return Found{at + colon + 1, at + end, "password in a URL"};
}

// Whether letters, digits and what base64 has beside them follow each other as by chance: of two
// neighbours at least 45 % differ in kind (62 % in random base64, 20 % in names like parseHttp2),
// digits stand in three places, and one in ten is neither.
bool is_random(std::string_view run) {
  enum Kind { kLower, kUpper, kDigit, kOther };
  std::array<std::size_t, 4> counts = {};
  std::size_t changes = 0;
  std::size_t digit_groups = 0;
  Kind before = kOther;
  Kind before_other = kOther;  // the last one that was something else
  for (const char c : run) {
    const Kind kind = is_digit(c) ? kDigit : !is_letter(c) ? kOther : c >= 'a' ? kLower : kUpper;
    ++counts[kind];
    digit_groups += kind == kDigit && before != kDigit ? 1 : 0;
    changes += kind != kOther && before_other != kOther && kind != before_other ? 1 : 0;
    before = kind;
    if (kind != kOther) before_other = kind;
  }
  const std::size_t known = run.size() - counts[kOther];
  return counts[kLower] >= 3 && counts[kUpper] >= 3 && digit_groups >= 3 &&
         counts[kOther] * 10 <= run.size() && changes * 100 >= 45 * (known - 1);
}

// What is no secret by what stands in front of it: a hash, data in an address, a C++ symbol.
bool is_known_kind(std::string_view before, std::string_view run) {
  for (const std::string_view hash : {"sha1", "sha256", "sha384", "sha512", "md5", "h1"}) {
    const bool in_front = before.size() > hash.size() &&
                          (before.back() == ':' || before.back() == '=') &&
                          before.substr(0, before.size() - 1).ends_with(hash);
    if (in_front || (run.starts_with(hash) && run.substr(hash.size()).starts_with('-'))) {
      return true;
    }
  }
  return before.ends_with("base64,") || run.starts_with("_Z");
}

// A string of no known shape or name that looks random: keys of services that nobody knows. Hashes
// in hexadecimal and ids do not have letters of both cases; lines of 64 or 76 characters are PEM
// and MIME.
std::optional<Found> find_random(std::string_view text, std::size_t at) {
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
  return Found{at, end, "a string that looks random"};
}

std::optional<Found> find_at_word(std::string_view text, std::size_t at, std::size_t word_length) {
  if (auto found = find_shape(text, at)) return found;
  if (auto found = find_longer_shape(text, at)) return found;
  if (auto found = find_web_token(text, at)) return found;
  if (auto found = find_credential(text, at, word_length)) return found;
  const std::size_t name_length = run_length(
      text.substr(at, kMaxNameBytes), [](char c) { return is_word(c) || c == '-' || c == '.'; });
  if (auto found = find_assigned(text, at, name_length)) return found;
  return find_random(text, at);
}

void put(std::string& out, std::string_view name) {
  ((out += kMaskedSecret) += name) += ']';
}

// Hiding these would hide what is no secret.
bool is_plain(std::string_view value) {
  const bool word = std::all_of(value.begin(), value.end(), is_letter);
  const bool number = std::all_of(value.begin(), value.end(),
                                  [](char c) { return is_digit(c) || c == '.' || c == ':'; });
  const bool address =
      value.find("://") != std::string_view::npos && value.find('@') == std::string_view::npos;
  return word || number || address || value.starts_with('/') || value.starts_with("localhost");
}

struct EnvValue {
  std::string_view text;
  std::size_t used = 0;  // bytes, quotes included
};

// `text` begins behind the '='. What is in quotes may have several lines; else a comment, which
// begins behind a blank, or the line's end ends it.
EnvValue env_value(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size() && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
  const char quote = begin < text.size() ? text[begin] : '\0';
  if (quote == '"' || quote == '\'' || quote == '`') {
    for (std::size_t at = begin + 1; at < text.size(); ++at) {
      if (text[at] == '\\' && quote == '"') {
        ++at;
      } else if (text[at] == quote) {
        return {text.substr(begin + 1, at - begin - 1), at + 1};
      }
    }
  }
  std::string_view line = text.substr(0, text.find('\n'));
  for (std::size_t at = 1; at < line.size(); ++at) {
    if (line[at] == '#' && (line[at - 1] == ' ' || line[at - 1] == '\t')) line = line.substr(0, at);
  }
  return {trim(line), line.size()};
}

}  // namespace

void SecretMask::keep(std::string name, std::string value) {
  const auto same = [&value](const Named& one) { return one.text == value; };
  if (std::any_of(values_.begin(), values_.end(), same)) return;
  if (values_.size() >= kMaxValues) {
    ++left_out_;
    return;
  }
  values_.push_back({std::move(name), std::move(value)});
  std::stable_sort(values_.begin(), values_.end(),
                   [](const Named& a, const Named& b) { return a.text.size() > b.text.size(); });
}

void SecretMask::add_value(std::string name, std::string value) {
  if (value.size() >= kMinValueBytes && !is_plain(value)) keep(std::move(name), std::move(value));
}

void SecretMask::add_key(std::string name, std::string value) {
  const bool word = std::all_of(value.begin(), value.end(), is_letter);
  if (value.size() < kMinKeyBytes || (word && value.size() < kMinValueBytes)) return;
  keep(std::move(name), std::move(value));
}

void SecretMask::add_prefix(std::string name, std::string prefix) {
  if (!prefix.empty()) prefixes_.push_back({std::move(name), std::move(prefix)});
}

void SecretMask::add_env_file(std::string_view file_name, std::string_view text) {
  while (!text.empty()) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, line_end);
    const std::size_t equals = line.find('=');
    std::string_view front = trim(line.substr(0, equals));
    std::size_t used = std::min(line_end + 1, text.size());
    if (!front.starts_with('#') && equals != std::string_view::npos) {
      if (front.starts_with("export ")) front = trim(front.substr(7));
      const EnvValue value = env_value(text.substr(equals + 1));
      std::string name(front);
      (name += " of ") += file_name;
      add_value(name, std::string(value.text));
      for (const std::string_view one : split_lines(value.text)) {
        if (one.size() < value.text.size() && !one.starts_with("-----")) {
          add_value(name, std::string(trim(one)));
        }
      }
      used = std::max(used, equals + 1 + value.used);
    }
    text.remove_prefix(std::min(used, text.size()));
  }
}

std::string SecretMask::mask(std::string_view text) const {
  return mask(text, Lines::kGo);
}

std::string SecretMask::mask_lines(std::string_view text) const {
  return mask(text, Lines::kStay);
}

std::string SecretMask::mask(std::string_view text, Lines lines) const {
  const auto newlines_of = [lines](std::string_view secret) {
    const auto count = lines == Lines::kGo ? 0 : std::count(secret.begin(), secret.end(), '\n');
    return std::string(static_cast<std::size_t>(count), '\n');
  };
  std::string out;
  std::size_t copied = 0;
  const auto take = [&](const Found& found) {
    out += text.substr(copied, found.begin - copied);
    put(out, found.name);
    out += newlines_of(text.substr(found.begin, found.end - found.begin));
    copied = found.end;
  };
  for (std::size_t at = 0; at < text.size();) {
    std::optional<Found> found;
    std::size_t step = 1;
    if (is_word(text[at])) {
      step = run_length(text.substr(at), is_word);
      found = find_at_word(text, at, step);
      for (const Named& one : prefixes_) {
        if (found || !text.substr(at).starts_with(one.text)) continue;
        const std::size_t rest = run_length(text.substr(at + one.text.size()), is_token);
        if (rest >= kMinPrefixRest) found = Found{at, at + one.text.size() + rest, one.name};
      }
    } else if (text[at] == '-') {
      found = find_private_key(text, at);
    } else if (text.substr(at).starts_with("://")) {
      step = 3;
      found = find_url_password(text, at + step);
    }
    if (found) take(*found);
    at = found ? found->end : at + step;
  }
  out += text.substr(copied);
  for (const Named& one : values_) {
    if (out.find(one.text) == std::string::npos) continue;
    std::string name;
    put(name, one.name);
    name += newlines_of(one.text);
    out = replace_all(out, one.text, name);
  }
  return out;
}

}  // namespace pedro
