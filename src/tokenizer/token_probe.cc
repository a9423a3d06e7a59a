#include "tokenizer/token_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/embedded_file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "tokenizer/quoted_token.h"

namespace pedro {

extern const EmbeddedFile kProbeTexts[];
extern const std::size_t kProbeTextsCount;

namespace {

using Ids = std::vector<TokenId>;

constexpr std::size_t kMaxTemplateBytes = std::size_t{1} << 18;
constexpr std::size_t kMaxSpecialBytes = std::size_t{1} << 16;
constexpr std::size_t kComparedTokens = 64;  // from the first difference
constexpr std::size_t kShownTokens = 16;

struct ProbeText {
  std::string name;
  std::string text;
};

// All special tokens, up to a limit of bytes, separated by a text that merges with none of them.
std::string special_texts(const Vocabulary& vocabulary) {
  std::string out;
  for (const TokenId id : vocabulary.specials()) {
    if (out.size() > kMaxSpecialBytes) break;
    out += vocabulary.piece(id);
    out += " x\n";
  }
  return out;
}

std::vector<ProbeText> texts_for(const Vocabulary& vocabulary, std::string_view chat_template) {
  assert(kProbeTextsCount == 1);
  const Result<Json> fixed = parse_json(kProbeTexts[0].bytes);
  assert(fixed.ok() && fixed->is_array());
  std::vector<ProbeText> texts;
  for (const Json& one : *fixed) texts.push_back({text_of(one, "name"), text_of(one, "text")});
  texts.push_back({"the vocabulary's special tokens", special_texts(vocabulary)});
  texts.push_back(
      {"the server's chat template", std::string(truncate_utf8(chat_template, kMaxTemplateBytes))});
  return texts;
}

// The tokens from the first difference up to the next common boundary.
struct Difference {
  std::size_t ours = 0;  // number of tokens
  std::size_t theirs = 0;
  std::string bytes;
};

Difference until_both_end(const std::vector<std::string>& ours,
                          const std::vector<std::string>& theirs) {
  Difference out;
  std::string their_bytes;
  while (out.ours < ours.size() || out.theirs < theirs.size()) {
    const bool both = out.ours > 0 && out.theirs > 0;
    if (both && out.bytes.size() == their_bytes.size()) break;
    const bool ours_next = out.bytes.size() <= their_bytes.size();
    if (ours_next && out.ours < ours.size()) {
      out.bytes += ours[out.ours++];
    } else if (out.theirs < theirs.size()) {
      their_bytes += theirs[out.theirs++];
    } else {
      out.bytes += ours[out.ours++];
    }
  }
  if (out.bytes.empty()) out.bytes = their_bytes;
  return out;
}

std::string shown(const Ids& ids, const std::vector<std::string>& pieces) {
  std::string out;
  for (std::size_t i = 0; i < std::min(ids.size(), kShownTokens); ++i) {
    out += fmt::format("{}{}:{}", out.empty() ? "" : " ", ids[i], shown_token(pieces[i]));
  }
  if (ids.size() > kShownTokens) out += " …";
  return out.empty() ? "nothing" : out;
}

// At most kComparedTokens ids from `at` on.
Ids some(const Ids& ids, std::size_t at) {
  const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(at);
  return {begin, begin + static_cast<std::ptrdiff_t>(std::min(ids.size() - at, kComparedTokens))};
}

Result<ProbeMismatch> describe(VocabularyTokenizer& vocabulary, Tokenizer& server,
                               const Passage& passage, const Ids& ours, const Ids& theirs) {
  const auto differ = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end());
  const std::size_t at = static_cast<std::size_t>(differ.first - ours.begin());
  ProbeMismatch out;
  out.text = passage.what;
  out.specials = passage.specials.all();
  const auto before = vocabulary.decode({ours.begin(), differ.first});
  if (before) out.offset = before->size();
  out.ours = some(ours, at);
  out.theirs = some(theirs, at);
  PEDRO_TRY(const auto our_pieces, vocabulary.pieces(out.ours));
  PEDRO_TRY(const auto their_pieces, server.pieces(out.theirs));
  const Difference difference = until_both_end(our_pieces, their_pieces);
  out.bytes = difference.bytes;
  out.ours.resize(difference.ours);
  out.theirs.resize(difference.theirs);
  out.shown_ours = shown(out.ours, our_pieces);
  out.shown_theirs = shown(out.theirs, their_pieces);
  return out;
}

Result<ProbeResult> compare(VocabularyTokenizer& vocabulary, Tokenizer& server,
                            std::span<const Passage> passages) {
  PEDRO_TRY(const auto theirs, server.encode_each(passages));
  PEDRO_TRY(const auto ours, vocabulary.encode_each(passages));
  ProbeResult result;
  result.texts = passages.size();
  for (std::size_t i = 0; i < passages.size() && !result.mismatch; ++i) {
    if (ours[i] == theirs[i]) continue;
    PEDRO_TRY(auto found, describe(vocabulary, server, passages[i], ours[i], theirs[i]));
    result.mismatch = std::move(found);
  }
  return result;
}

}  // namespace

std::string ProbeMismatch::to_text(std::string_view name) const {
  return fmt::format(
      "in the probe text '{}', special tokens {}, at byte {}, {}: the server has {}, {} has {}",
      text, specials ? "on" : "off", offset, shown_token(bytes), shown_theirs, name, shown_ours);
}

Result<ProbeResult> probe_vocabulary(VocabularyTokenizer& vocabulary, Tokenizer& server,
                                     std::string_view chat_template) {
  const std::vector<ProbeText> texts = texts_for(vocabulary.vocabulary(), chat_template);
  std::vector<Passage> passages;
  for (const Specials specials : {Specials::kNone, Specials::kAll}) {
    for (const ProbeText& text : texts) passages.push_back({text.text, specials, text.name});
  }
  Result<ProbeResult> result = compare(vocabulary, server, passages);
  if (!result || result->mismatch) return result;
  const auto our_start = vocabulary.prompt_start();
  const auto their_start = server.prompt_start();
  if (!our_start) return our_start.error();
  if (!their_start) return their_start.error();
  if (*our_start == *their_start) return result;
  const Passage start{"", Specials::kAll, "the start of a prompt"};
  PEDRO_TRY(auto found, describe(vocabulary, server, start, *our_start, *their_start));
  result->mismatch = std::move(found);
  return result;
}

Result<ProbeResult> probe_tokens(VocabularyTokenizer& vocabulary, Tokenizer& server) {
  const Vocabulary& all = vocabulary.vocabulary();
  std::vector<std::string> texts;
  for (TokenId id = 0; all.has(id); ++id) {
    const TokenKind kind = all.kind(id);
    if (kind != TokenKind::kNormal && kind != TokenKind::kUserDefined) continue;
    Result<std::string> text = vocabulary.piece(id);
    if (text && !text->empty() && is_valid_utf8(*text)) texts.push_back(*std::move(text));
  }
  std::vector<Passage> passages;
  for (const std::string& text : texts) {
    passages.push_back({text, Specials::kNone, "a token of its own"});
  }
  return compare(vocabulary, server, passages);
}

}  // namespace pedro
