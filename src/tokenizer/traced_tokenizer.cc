#include "tokenizer/traced_tokenizer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/utf8.h"
#include "tokenizer/quoted_token.h"

namespace pedro {
namespace {

std::string_view policy_name(const Specials& specials) {
  return specials.none() ? "none" : specials.all() ? "all" : "named";
}

}  // namespace

TracedTokenizer::TracedTokenizer(Tokenizer& inner, std::string_view why, Trace trace,
                                 const Clock& clock)
    : inner_(inner), trace_(std::move(trace)), clock_(clock) {
  trace_.tell(TraceTopic::kTokens, fmt::format("by {}: {}", inner_.provider_name(), why),
              {{"type", "tokenizer"}, {"by", inner_.provider_name()}, {"why", why}});
}

// A token whose lookup fails is shown without its text: tracing never fails.
TracedTokenizer::Shown TracedTokenizer::shown(const Passage& passage,
                                              std::span<const TokenId> ids) {
  Shown out;
  const Result<std::vector<std::string>> pieces = inner_.pieces(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string bytes = pieces ? (*pieces)[i] : "";
    bool control = false;
    if (!passage.specials.none()) {  // without special tokens, all tokens are text
      const Result<bool> is = inner_.is_control(ids[i]);
      control = is && *is;
    }
    Json token = {{"id", ids[i]}};
    if (is_valid_utf8(bytes)) {
      token["text"] = bytes;
    } else {
      for (const char byte : bytes) token["bytes"].push_back(static_cast<unsigned char>(byte));
    }
    if (control) token["control"] = true;
    out.tokens.push_back(std::move(token));
    out.text += fmt::format(" {}{}:{}", ids[i], control ? "!" : "", shown_token(bytes));
  }
  return out;
}

void TracedTokenizer::tell(const Passage& passage, const std::vector<TokenId>& ids, Took took) {
  const bool whole = ids.size() <= kFirstTokens + kLastTokens;
  const std::size_t missing = whole ? 0 : ids.size() - kFirstTokens - kLastTokens;
  const std::span<const TokenId> all(ids);
  Shown first = shown(passage, all.first(whole ? ids.size() : kFirstTokens));
  Json event = {{"type", "tokens"},
                {"what", passage.what.empty() ? "text" : passage.what},
                {"by", inner_.provider_name()},
                {"specials", policy_name(passage.specials)},
                {"bytes", passage.text.size()},
                {"count", ids.size()},
                {"us", took.us}};
  if (took.texts > 1) event["texts"] = took.texts;
  event["tokens"] = std::move(first.tokens);
  const std::string together =
      took.texts > 1 ? fmt::format(" ({} texts together)", took.texts) : "";
  std::string text =
      fmt::format("{}: {} bytes by {} in {} us{}, specials {}: {} tokens{}", text_of(event, "what"),
                  passage.text.size(), inner_.provider_name(), took.us, together,
                  policy_name(passage.specials), ids.size(), first.text);
  if (missing > 0) {
    Shown last = shown(passage, all.last(kLastTokens));
    event["missing"] = missing;
    event["last_tokens"] = std::move(last.tokens);
    text += fmt::format(" [{} tokens are not shown]{}", missing, last.text);
  }
  trace_.tell(TraceTopic::kTokens, text, event);
}

Result<std::vector<std::vector<TokenId>>> TracedTokenizer::encode_each(
    std::span<const Passage> passages) {
  const long long begin = clock_.ticks_us();
  PEDRO_TRY(auto all, inner_.encode_each(passages));
  const long long us = clock_.ticks_us() - begin;
  for (std::size_t i = 0; i < passages.size(); ++i) {
    tell(passages[i], all[i], {us, passages.size()});
  }
  return all;
}

Result<std::vector<TokenId>> TracedTokenizer::encode(std::string_view text, Specials specials) {
  const Passage passage{text, specials};
  PEDRO_TRY(auto all, encode_each({&passage, 1}));
  return std::move(all.front());
}

Result<std::size_t> TracedTokenizer::count(std::string_view text, Specials specials) {
  PEDRO_TRY(const auto ids, encode(text, specials));
  return ids.size();
}

}  // namespace pedro
