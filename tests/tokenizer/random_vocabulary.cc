#include "tokenizer/random_vocabulary.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

namespace pedro {

namespace {

constexpr std::size_t kByteCount = 256;
constexpr std::string_view kTwoBytes = "\u00E9";

// Shuffles the ids of the tokens after the byte tokens.
void shuffle_ids(VocabularySource& source, std::mt19937& random) {
  std::vector<TokenId> ids(source.tokens.size());
  std::iota(ids.begin(), ids.end(), 0);
  std::shuffle(ids.begin() + kByteCount, ids.end(), random);
  const auto id_of = [&](TokenId old) { return ids[static_cast<std::size_t>(old)]; };
  TokenList tokens;
  tokens.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    tokens.set(static_cast<std::size_t>(ids[i]), source.tokens[i]);
  }
  source.tokens = tokens;
  for (Merge& merge : source.merges) {
    merge = {id_of(merge.left), id_of(merge.right), id_of(merge.result)};
  }
}

std::map<std::string, TokenId> ids_by_text(const VocabularySource& source) {
  std::map<std::string, TokenId> id_of;
  for (std::size_t i = kByteCount; i < source.tokens.size(); ++i) {
    id_of.emplace(source.tokens[i].bytes, static_cast<TokenId>(i));
  }
  return id_of;
}

}  // namespace

VocabularySource random_vocabulary(std::mt19937& random, const RandomMerges& wanted) {
  const bool in_bytes = wanted.symbols == Symbols::kBytes;
  VocabularySource source;
  source.name = "random";
  source.symbols = wanted.symbols;
  source.pre_tokenizer.scanner = "none";
  for (std::size_t byte = 0; byte < kByteCount; ++byte) {
    source.tokens.push_back({std::string(1, static_cast<char>(byte)),
                             in_bytes ? TokenKind::kNormal : TokenKind::kByte, 0});
  }
  std::vector<TokenId> made = {'a', 'b', 'c', 'd'};
  if (!in_bytes) {
    made = {256, 257, 258};
    for (const std::string_view letter : {std::string_view("a"), std::string_view("b"), kTwoBytes})
      source.tokens.push_back({letter, TokenKind::kNormal, 0});
  }
  std::set<std::pair<TokenId, TokenId>> known;
  std::map<std::string, TokenId> id_of;
  while (known.size() < wanted.merges) {
    const TokenId left = made[random() % made.size()];
    const TokenId right = made[random() % made.size()];
    std::string bytes(source.tokens[static_cast<std::size_t>(left)].bytes);
    bytes += source.tokens[static_cast<std::size_t>(right)].bytes;
    if (bytes.size() > 12 || !known.insert({left, right}).second) continue;
    const auto [at, fresh] = id_of.try_emplace(bytes, static_cast<TokenId>(source.tokens.size()));
    const bool is_last = at->second + 1 >= static_cast<TokenId>(source.tokens.size());
    if (wanted.order == MergeOrder::kOfIds && !is_last) continue;
    if (fresh) {
      source.tokens.push_back({bytes, TokenKind::kNormal, 0});
      made.push_back(at->second);
    }
    source.merges.push_back({left, right, at->second});
  }
  for (std::size_t i = 0; i < wanted.merges / 4; ++i) {
    const std::string text = random_letters(random, 2 + random() % 4);
    if (!id_of.try_emplace(text, -1).second) continue;
    source.tokens.push_back({text, TokenKind::kNormal, 0});
  }
  if (wanted.order != MergeOrder::kOfIds) shuffle_ids(source, random);
  if (wanted.order == MergeOrder::kAny) {
    std::shuffle(source.merges.begin(), source.merges.end(), random);
  }
  return source;
}

std::vector<TokenId> slow_bpe(const VocabularySource& source, const std::string& piece) {
  const auto id_of = ids_by_text(source);
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < piece.size();) {
    const std::size_t size = piece.substr(i).starts_with(kTwoBytes) ? kTwoBytes.size() : 1;
    const auto letter = id_of.find(piece.substr(i, size));
    if (source.symbols == Symbols::kCharacters && letter != id_of.end()) {
      ids.push_back(letter->second);
      i += size;
    } else {
      ids.push_back(static_cast<unsigned char>(piece[i++]));
    }
  }
  const auto merge_first = [&] {
    for (const Merge& merge : source.merges) {
      for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
        if (ids[i] != merge.left || ids[i + 1] != merge.right) continue;
        ids[i] = merge.result;
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        return true;
      }
    }
    return false;
  };
  while (merge_first()) {
  }
  return ids;
}

VocabularySource random_scores(std::mt19937& random, std::size_t pieces) {
  VocabularySource source;
  source.name = "scores";
  source.symbols = Symbols::kCharacters;
  source.pre_tokenizer.scanner = "none";
  for (int byte = 0; byte < 256; ++byte) {
    source.tokens.push_back({std::string(1, static_cast<char>(byte)), TokenKind::kByte, 0});
  }
  std::set<std::string> texts;
  while (texts.size() < pieces) texts.insert(random_letters(random, 1 + random() % 6));
  std::vector<float> scores;
  for (std::size_t i = 0; i < texts.size(); ++i) scores.push_back(-static_cast<float>(i / 2));
  std::shuffle(scores.begin(), scores.end(), random);
  for (const std::string& text : texts) {
    source.tokens.push_back({text, TokenKind::kNormal, scores.back()});
    scores.pop_back();
  }
  return source;
}

std::vector<TokenId> slow_scored(const VocabularySource& source, const std::string& text) {
  const auto id_of = ids_by_text(source);
  std::vector<std::string> parts;
  for (const char letter : text) parts.emplace_back(1, letter);
  for (;;) {
    std::size_t best = parts.size();
    float score = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto known = id_of.find(parts[i] + parts[i + 1]);
      if (known == id_of.end()) continue;
      const float own = source.tokens[static_cast<std::size_t>(known->second)].score;
      if (best != parts.size() && own <= score) continue;
      best = i;
      score = own;
    }
    if (best == parts.size()) break;
    parts[best] += parts[best + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  std::vector<TokenId> ids;
  for (const std::string& part : parts) {
    const auto known = id_of.find(part);
    ids.push_back(known == id_of.end() ? static_cast<unsigned char>(part[0]) : known->second);
  }
  return ids;
}

std::string random_letters(std::mt19937& random, std::size_t size) {
  std::string text;
  while (text.size() < size) text += static_cast<char>('a' + random() % 4);
  return text;
}

}  // namespace pedro
