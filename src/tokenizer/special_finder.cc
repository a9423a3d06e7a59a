#include "tokenizer/special_finder.h"

#include <algorithm>
#include <tuple>

namespace pedro {

SpecialFinder::SpecialFinder(const Vocabulary& vocabulary, const std::vector<TokenId>& ids)
    : vocabulary_(vocabulary) {
  for (std::size_t i = 0; i < ids.size(); ++i) add(ids[i], i);
}

void SpecialFinder::add(TokenId id, std::size_t order) {
  const std::string_view text = vocabulary_.piece(id);
  if (text.empty()) return;
  first_.set(static_cast<unsigned char>(text[0]));
  longest_ = std::max(longest_, text.size());
  std::int32_t node = 0;
  for (const char byte : text) {
    std::int32_t next = step(node, byte);
    if (next == kNone) {
      next = static_cast<std::int32_t>(nodes_.size());
      nodes_[static_cast<std::size_t>(node)].next.emplace_back(byte, next);
      nodes_.emplace_back();
    }
    node = next;
  }
  Node& end = nodes_[static_cast<std::size_t>(node)];
  if (end.token != kNone) return;  // the first of two tokens with the same text is kept
  end.token = id;
  end.order = order;
}

std::int32_t SpecialFinder::step(std::int32_t node, char byte) const {
  const auto& next = nodes_[static_cast<std::size_t>(node)].next;
  const auto at =
      std::find_if(next.begin(), next.end(), [byte](const auto& arc) { return arc.first == byte; });
  return at == next.end() ? kNone : at->second;
}

std::vector<SpecialAt> SpecialFinder::find(std::string_view text) const {
  if (longest_ == 0) return {};
  return vocabulary_.facts().fidelity == Fidelity::kReference ? leftmost(text)
                                                              : longest_first(text);
}

std::vector<SpecialAt> SpecialFinder::leftmost(std::string_view text) const {
  std::vector<SpecialAt> found;
  for (std::size_t begin = 0; begin < text.size();) {
    TokenId last = kNone;
    std::int32_t node = first_.test(static_cast<unsigned char>(text[begin])) ? 0 : kNone;
    for (std::size_t i = begin; i < text.size() && node != kNone; ++i) {
      node = step(node, text[i]);
      if (node == kNone) break;
      const TokenId token = nodes_[static_cast<std::size_t>(node)].token;
      if (token != kNone) last = token;
    }
    if (last == kNone) {
      ++begin;
    } else {
      found.push_back({begin, last});
      begin += vocabulary_.piece(last).size();
    }
  }
  return found;
}

std::vector<SpecialAt> SpecialFinder::longest_first(std::string_view text) const {
  std::vector<std::tuple<std::size_t, std::size_t, TokenId>> all;  // order, begin, token
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    std::int32_t node = first_.test(static_cast<unsigned char>(text[begin])) ? 0 : kNone;
    for (std::size_t i = begin; i < text.size() && node != kNone; ++i) {
      node = step(node, text[i]);
      if (node == kNone) break;
      const Node& here = nodes_[static_cast<std::size_t>(node)];
      if (here.token != kNone) all.emplace_back(here.order, begin, here.token);
    }
  }
  std::sort(all.begin(), all.end());
  std::vector<SpecialAt> found;
  std::vector<bool> taken(all.empty() ? 0 : text.size());
  for (const auto& [order, begin, token] : all) {
    // An overlapping earlier match is at least as long, so it covers an end of this one.
    const std::size_t last = begin + vocabulary_.piece(token).size() - 1;
    if (taken[begin] || taken[last]) continue;
    std::fill(taken.begin() + static_cast<std::ptrdiff_t>(begin),
              taken.begin() + static_cast<std::ptrdiff_t>(last) + 1, true);
    found.push_back({begin, token});
  }
  std::sort(found.begin(), found.end(),
            [](const SpecialAt& a, const SpecialAt& b) { return a.begin < b.begin; });
  return found;
}

}  // namespace pedro
