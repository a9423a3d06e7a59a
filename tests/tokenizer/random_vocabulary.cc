#include "tokenizer/random_vocabulary.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace pedro {

VocabularySource random_vocabulary(std::mt19937& random, std::size_t merges, bool shuffled) {
  VocabularySource source;
  source.name = "random";
  source.pre_tokenizer.scanner = "none";
  for (int byte = 0; byte < 256; ++byte) {
    source.tokens.push_back({std::string(1, static_cast<char>(byte)), TokenKind::kNormal, 0});
  }
  std::vector<TokenId> made = {'a', 'b', 'c', 'd'};
  std::set<std::pair<TokenId, TokenId>> known;
  std::map<std::string, TokenId> id_of;
  while (known.size() < merges) {
    const TokenId left = made[random() % made.size()];
    const TokenId right = made[random() % made.size()];
    std::string bytes(source.tokens[static_cast<std::size_t>(left)].bytes);
    bytes += source.tokens[static_cast<std::size_t>(right)].bytes;
    if (bytes.size() > 12 || !known.insert({left, right}).second) continue;
    const auto [at, fresh] = id_of.try_emplace(bytes, static_cast<TokenId>(source.tokens.size()));
    if (!shuffled && at->second + 1 < static_cast<TokenId>(source.tokens.size())) continue;
    if (fresh) {
      source.tokens.push_back({bytes, TokenKind::kNormal, 0});
      made.push_back(at->second);
    }
    source.merges.push_back({left, right, at->second});
  }
  if (shuffled) {
    std::vector<TokenId> ids(source.tokens.size());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<TokenId>(i);
    std::shuffle(ids.begin() + 256, ids.end(), random);
    TokenList tokens;
    tokens.resize(source.tokens.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      tokens.set(static_cast<std::size_t>(ids[i]), source.tokens[i]);
    }
    source.tokens = tokens;
    for (Merge& merge : source.merges) {
      merge = {ids[static_cast<std::size_t>(merge.left)],
               ids[static_cast<std::size_t>(merge.right)],
               ids[static_cast<std::size_t>(merge.result)]};
    }
  }
  return source;
}

std::vector<TokenId> slow_bpe(const VocabularySource& source, const std::string& piece) {
  std::vector<TokenId> ids;
  for (const char byte : piece) ids.push_back(static_cast<unsigned char>(byte));
  for (;;) {
    const Merge* first = nullptr;
    for (const Merge& merge : source.merges) {
      for (std::size_t i = 0; i + 1 < ids.size() && first == nullptr; ++i) {
        if (ids[i] == merge.left && ids[i + 1] == merge.right) first = &merge;
      }
      if (first != nullptr) break;
    }
    if (first == nullptr) return ids;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      if (ids[i] != first->left || ids[i + 1] != first->right) continue;
      ids[i] = first->result;
      ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }
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
  std::map<std::string, TokenId> id_of;
  for (std::size_t i = 256; i < source.tokens.size(); ++i) {
    id_of.emplace(source.tokens[i].bytes, static_cast<TokenId>(i));
  }
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
