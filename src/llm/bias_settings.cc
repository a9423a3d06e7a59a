#include "llm/bias_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTexts = 64;
constexpr std::size_t kMaxTextBytes = 64;

Error wrong(std::string_view name, std::string_view what) {
  return Error{ErrorKind::kConfig,
               fmt::format("logit_bias: '{}': {}", make_printable(truncate_utf8(name, 80)), what)};
}

bool is_for(std::string_view pattern, std::string_view model) {
  if (!pattern.ends_with('*')) return pattern == model;
  return model.starts_with(pattern.substr(0, pattern.size() - 1));
}

bool is_text_entry(const Json& value) {
  return value.is_number() || (value.is_object() && value.contains("bias"));
}

Result<BiasedText> read_entry(const std::string& text, const Json& value) {
  if (text.empty() || text.size() > kMaxTextBytes) {
    return wrong(text, fmt::format("expected a text of 1 to {} bytes", kMaxTextBytes));
  }
  BiasedText out{text, 0, false};
  const Json& bias = value.is_object() ? value["bias"] : value;
  bool forced = false;
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      if (key == "bias") continue;
      if (key != "capitalised" && key != "force") {
        return wrong(text, fmt::format("'{}' is not known; there are: bias, capitalised, force",
                                       make_printable(key)));
      }
      if (!member.is_boolean()) return wrong(text, key + ": expected true or false");
      (key == "force" ? forced : out.capitalised) = member.get<bool>();
    }
  }
  if (!bias.is_number()) return wrong(text, "expected a number, or {\"bias\": NUMBER}");
  out.bias = bias.get<double>();
  if (!std::isfinite(out.bias) || std::abs(out.bias) > kMaxBias) {
    return wrong(text, fmt::format("expected a number from -{0} to {0}", kMaxBias));
  }
  if (std::abs(out.bias) > kMaxUnforcedBias && !forced) {
    return wrong(
        text,
        fmt::format("{} is further from 0 than {}: a model then repeats the text instead of using "
                    "it where it belongs; if intended, write {{\"bias\": {}, \"force\": true}}",
                    out.bias, kMaxUnforcedBias, out.bias));
  }
  return out;
}

void put(BiasedText entry, std::vector<BiasedText>& into) {
  const auto known = std::find_if(into.begin(), into.end(),
                                  [&](const BiasedText& one) { return one.text == entry.text; });
  if (known == into.end()) {
    into.push_back(std::move(entry));
  } else {
    *known = std::move(entry);
  }
}

// Reads all entries for `model`, including those with a bias of 0.
Result<std::vector<BiasedText>> read_all(const Json& settings, std::string_view model) {
  std::vector<BiasedText> all;
  std::vector<BiasedText> own;
  for (const auto& [name, value] : settings.items()) {
    if (is_text_entry(value)) {
      PEDRO_TRY(BiasedText entry, read_entry(name, value));
      put(std::move(entry), all);
      continue;
    }
    if (!value.is_object()) return wrong(name, "expected a number, or an object for a model");
    for (const auto& [text, one] : value.items()) {
      Result<BiasedText> entry = read_entry(text, one);
      if (!entry) return entry.error().at(fmt::format("for '{}'", name));
      if (is_for(name, model)) put(*std::move(entry), own);
    }
  }
  for (BiasedText& entry : own) put(std::move(entry), all);
  return all;
}

// Removes the texts with a bias of 0, then checks the number of texts.
Result<std::vector<BiasedText>> without_zeros(std::vector<BiasedText> all) {
  std::erase_if(all, [](const BiasedText& entry) { return entry.bias == 0; });
  if (all.size() > kMaxTexts) {
    return Error{ErrorKind::kConfig,
                 fmt::format("logit_bias: {} texts, at most {}", all.size(), kMaxTexts)};
  }
  return all;
}

}  // namespace

Result<std::vector<BiasedText>> read_biases(const Json& settings, std::string_view model) {
  return read_biases(settings, Json::object(), model);
}

Result<std::vector<BiasedText>> read_biases(const Json& settings, const Json& more,
                                            std::string_view model) {
  PEDRO_TRY(std::vector<BiasedText> all, read_all(settings, model));
  PEDRO_TRY(std::vector<BiasedText> on_top, read_all(more, model));
  for (BiasedText& entry : on_top) put(std::move(entry), all);
  return without_zeros(std::move(all));
}

}  // namespace pedro
