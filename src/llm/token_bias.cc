#include "llm/token_bias.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/json.h"
#include "llm/bias_settings.h"

namespace pedro {
namespace {

// Contexts of a name in a call, and of a word in a sentence.
constexpr std::string_view kBefore[] = {"", " ", "\"", "{\""};

// The minimum size of a first token that identifies a text. It must also have at least half of the
// text. Smaller ones are fragments of too many words.
constexpr std::size_t kTellingBytes = 3;

std::string capitalised(const std::string& text) {
  std::string out = text;
  if (out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

std::vector<BiasedForm> forms_of(const BiasedText& text) {
  std::vector<BiasedForm> forms;
  for (const std::string_view before : kBefore) {
    forms.push_back({std::string(before), text.text, {}, {}});
  }
  const std::string upper = capitalised(text.text);
  if (!text.capitalised || upper == text.text) return forms;
  for (const std::string_view before : kBefore) {
    forms.push_back({std::string(before), upper, {}, {}});
  }
  return forms;
}

// Returns the number of bytes in [begin, end) that a token at [at, at + size) covers.
std::size_t shared_bytes(std::size_t begin, std::size_t end, std::size_t at, std::size_t size) {
  const std::size_t from = std::max(begin, at);
  const std::size_t to = std::min(end, at + size);
  return to > from ? to - from : 0;
}

// Finds the tokens that contain a part of the form's text, and the one to bias.
void read_tokens(const std::vector<TokenId>& ids, std::span<const std::string> pieces,
                 BiasedForm& form) {
  std::size_t written = 0;
  for (const std::string& piece : pieces) written += piece.size();
  // Some vocabularies add a space before a text.
  const std::size_t begin = written - form.text.size();
  const std::size_t end = written;
  std::size_t at = 0;
  std::size_t in_first = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::size_t shared = shared_bytes(begin, end, at, pieces[i].size());
    if (shared > 0 && form.ids.empty()) in_first = shared;
    if (shared > 0) form.ids.push_back(ids[i]);
    at += pieces[i].size();
  }
  const bool telling = in_first >= kTellingBytes && 2 * in_first >= form.text.size();
  if (form.ids.size() == 1 || (form.ids.size() > 1 && telling)) form.biased = form.ids.front();
}

void leave_out_repeated(std::vector<BiasedForm>& forms) {
  std::vector<BiasedForm> kept;
  for (BiasedForm& form : forms) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const BiasedForm& other) {
      return other.ids == form.ids && other.text == form.text;
    });
    if (!known) kept.push_back(std::move(form));
  }
  forms = std::move(kept);
}

}  // namespace

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

Result<std::vector<TextBias>> find_biases(std::span<const BiasedText> texts, Tokenizer& tokenizer) {
  std::vector<TextBias> biases;
  std::vector<std::string> written;
  for (const BiasedText& text : texts) {
    biases.push_back({text, forms_of(text)});
    for (const BiasedForm& form : biases.back().forms) written.push_back(form.before + form.text);
  }
  std::vector<Passage> passages;
  for (const std::string& text : written) passages.push_back({text, Specials::kNone, "bias"});
  PEDRO_TRY(const auto ids, tokenizer.encode_each(passages));
  std::vector<TokenId> all;
  for (const std::vector<TokenId>& some : ids) all.insert(all.end(), some.begin(), some.end());
  PEDRO_TRY(const auto pieces, tokenizer.pieces(all));
  std::size_t text = 0;
  std::size_t token = 0;
  for (TextBias& bias : biases) {
    for (BiasedForm& form : bias.forms) {
      const std::vector<TokenId>& some = ids[text++];
      read_tokens(some, std::span(pieces).subspan(token, some.size()), form);
      token += some.size();
    }
    leave_out_repeated(bias.forms);
  }
  return biases;
}

std::vector<TokenBias> token_biases(std::span<const TextBias> texts) {
  std::map<TokenId, double> sums;
  for (const TextBias& text : texts) {
    std::map<TokenId, double> of_text;  // forms may share a token
    for (const BiasedForm& form : text.forms) {
      if (form.biased) of_text[*form.biased] = text.text.bias;
    }
    for (const auto& [id, bias] : of_text) sums[id] += bias;
  }
  std::vector<TokenBias> out;
  for (const auto& [id, bias] : sums) out.push_back({id, bias});
  return out;
}

std::string to_json_rows(std::span<const TokenBias> biases) {
  std::string rows;
  for (const TokenBias& one : biases) {
    rows += fmt::format("{}[{},{}]", rows.empty() ? "" : ",", one.id, one.bias);
  }
  return rows;
}

std::string to_text(const TextBias& bias) {
  std::string out = fmt::format("{} {}:", bias.text.text, bias.text.bias);
  for (const BiasedForm& form : bias.forms) {
    out += fmt::format("{} {}", &form == &bias.forms.front() ? "" : ";",
                       to_line(Json(form.before + form.text)));
    for (const TokenId id : form.ids) out += fmt::format(" {}", id);
    if (!form.biased) {
      out += " (no token of its own: not biased)";
    } else if (form.ids.size() > 1) {
      out += " (the first)";
    }
  }
  return out;
}

}  // namespace pedro
