#include "llm/bias_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "llm/bias_settings.h"
#include "llm/token_bias.h"

namespace pedro {

void BiasRows::find(std::span<const BiasedText> texts, Tokenizer& tokenizer, const Trace& trace,
                    const Notice& notice) {
  if (std::equal(texts.begin(), texts.end(), texts_.begin(), texts_.end())) return;
  texts_.assign(texts.begin(), texts.end());
  json_.clear();
  const Result<std::vector<TextBias>> found = find_biases(texts, tokenizer);
  if (!found) {
    notice("logit_bias is ignored, its texts could not be tokenized: " + found.error().message);
    return;
  }
  json_ = to_json_rows(token_biases(*found));
  for (const BiasedText& one : texts) {
    if (std::abs(one.bias) <= kMaxUnforcedBias) continue;
    notice(fmt::format(
        "logit_bias: '{}' has {}: from about 15 on a model repeats a text instead of using it more",
        one.text, one.bias));
  }
  if (!trace.wants(TraceTopic::kTokens)) return;
  for (const TextBias& one : *found) trace.sink(TraceTopic::kTokens, "bias " + to_text(one));
}

}  // namespace pedro
