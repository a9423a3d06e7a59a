#include "base/service_tokens.h"

#include <array>

#include "base/chance.h"
#include "base/token_run.h"

namespace pedro {
namespace {

// Where names in code have the same prefix, what is behind it has to look like chance.
enum class Rest { kAny, kChance };

// A prefix and so many characters of [A-Za-z0-9_-] at least.
struct TokenShape {
  std::string_view prefix;
  std::size_t rest;
  std::string_view name;
  Rest kind = Rest::kAny;
};

constexpr std::array kShapes = {
    TokenShape{"sk-ant-", 20, "Anthropic key"},
    TokenShape{"sk-", 20, "OpenAI key", Rest::kChance},
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
    TokenShape{"hf_", 30, "Hugging Face token", Rest::kChance},
    TokenShape{"npm_", 36, "npm token", Rest::kChance},
    TokenShape{"pypi-AgE", 40, "PyPI token"},
    TokenShape{"sk_live_", 20, "Stripe key"},
    TokenShape{"rk_live_", 20, "Stripe key"},
    TokenShape{"dop_v1_", 40, "DigitalOcean token"},
    TokenShape{"sk_test_", 20, "Stripe key"},
    TokenShape{"rk_test_", 20, "Stripe key"},
    TokenShape{"whsec_", 20, "Stripe key"},
    TokenShape{"AGE-SECRET-KEY-1", 58, "age key"},
    TokenShape{"gldt-", 20, "GitLab token"},
    TokenShape{"glrt-", 20, "GitLab token"},
    TokenShape{"glcbt-", 20, "GitLab token"},
    TokenShape{"glptt-", 20, "GitLab token"},
    TokenShape{"glsoat-", 20, "GitLab token"},
    TokenShape{"xoxr-", 20, "Slack token"},
    TokenShape{"xoxs-", 20, "Slack token"},
    TokenShape{"xoxe-", 20, "Slack token"},
    TokenShape{"xoxe.", 20, "Slack token"},
    TokenShape{"GOCSPX-", 20, "Google secret"},
    TokenShape{"doo_v1_", 40, "DigitalOcean token"},
    TokenShape{"dor_v1_", 40, "DigitalOcean token"},
    TokenShape{"dckr_pat_", 20, "Docker token"},
    TokenShape{"dckr_oat_", 20, "Docker token"},
    TokenShape{"dapi", 32, "Databricks token", Rest::kChance},
    TokenShape{"shpat_", 32, "Shopify token"},
    TokenShape{"shpss_", 32, "Shopify token"},
    TokenShape{"hvs.", 24, "Vault token"},
    TokenShape{"glsa_", 32, "Grafana token"},
    TokenShape{"lin_api_", 32, "Linear key"},
    TokenShape{"gsk_", 40, "Groq key"},
    TokenShape{"tskey-", 20, "Tailscale key", Rest::kChance},
    TokenShape{"PMAK-", 40, "Postman key"},
    TokenShape{"sq0csp-", 40, "Square secret"},
    TokenShape{"rubygems_", 40, "RubyGems key"},
};

std::optional<SecretSpan> find_shape(std::string_view text, std::size_t at) {
  for (const TokenShape& shape : kShapes) {
    if (!text.substr(at).starts_with(shape.prefix)) continue;
    const std::size_t begin = at + shape.prefix.size();
    const std::string_view rest = text.substr(begin, short_run(text, begin, is_id));
    if (rest.size() < shape.rest) continue;
    if (shape.kind == Rest::kChance && !looks_like_chance(rest)) continue;
    return SecretSpan{at, begin + run_length(text.substr(begin), is_id), shape.name};
  }
  return {};
}

// "SG.….…", "hooks.slack.com/services/T…/B…/…", and bots of Telegram: "123456789:AA…".
std::optional<SecretSpan> find_longer_shape(std::string_view text, std::size_t at) {
  constexpr std::string_view kWebhook = "hooks.slack.com/services/";
  const std::string_view rest = text.substr(at);
  if (rest.starts_with(kWebhook)) {
    const std::size_t begin = at + kWebhook.size();
    const std::size_t length = short_run(text, begin, is_token);
    if (length < 20) return {};
    return SecretSpan{begin, end_of_token(text, begin), "Slack webhook"};
  }
  if (rest.starts_with("SG.")) {
    const std::size_t first = short_run(text, at + 3, is_id);
    const std::size_t dot = at + 3 + first;
    if (first < 16 || dot >= text.size() || text[dot] != '.') return {};
    if (short_run(text, dot + 1, is_id) < 30) return {};
    return SecretSpan{at, end_of_token(text, dot), "SendGrid key"};
  }
  const std::size_t digits = run_length(rest.substr(0, 12), is_digit);
  if (digits < 8 || digits > 10 || !rest.substr(digits).starts_with(":AA")) return {};
  const std::size_t length = short_run(text, at + digits + 1, is_id);
  if (length < 33 || length > 37) return {};
  return SecretSpan{at, at + digits + 1 + length, "Telegram bot's token"};
}

// Three parts in base64url, of which the first is a JSON object: "eyJ…".
std::optional<SecretSpan> find_web_token(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("eyJ")) return {};
  std::size_t end = at;
  for (int part = 0; part < 3; ++part) {
    const std::size_t length = short_run(text, end, is_id);
    if (length < 10) return {};
    end += length;
    if (part == 2) break;
    if (end >= text.size() || text[end] != '.') return {};
    ++end;
  }
  return SecretSpan{at, end_of_token(text, end), "JSON web token"};
}

}  // namespace

std::optional<SecretSpan> find_service_token(std::string_view text, std::size_t at) {
  if (auto found = find_shape(text, at)) return found;
  if (auto found = find_longer_shape(text, at)) return found;
  return find_web_token(text, at);
}

}  // namespace pedro
