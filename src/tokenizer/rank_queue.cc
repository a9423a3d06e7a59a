#include "tokenizer/rank_queue.h"

#include <algorithm>
#include <functional>

namespace pedro {

void RankQueue::push(std::uint32_t rank, std::uint32_t place) {
  if (rank >= first_.size()) first_.resize(std::size_t{rank} + rank / 4 + 1, kNone);
  std::uint32_t& first = first_[rank];
  if (first == kNone) {
    ranks_.push_back(rank);
    std::push_heap(ranks_.begin(), ranks_.end(), std::greater<>());
  }
  std::uint32_t entry = free_;
  if (entry == kNone) {
    entry = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  } else {
    free_ = entries_[entry].next;
  }
  entries_[entry] = {place, first};
  first = entry;
}

bool RankQueue::pop(std::uint32_t& rank, std::vector<std::uint32_t>& places) {
  places.clear();
  if (ranks_.empty()) return false;
  rank = ranks_.front();
  std::pop_heap(ranks_.begin(), ranks_.end(), std::greater<>());
  ranks_.pop_back();
  for (std::uint32_t entry = first_[rank]; entry != kNone;) {
    places.push_back(entries_[entry].place);
    const std::uint32_t next = entries_[entry].next;
    entries_[entry].next = free_;
    free_ = entry;
    entry = next;
  }
  first_[rank] = kNone;
  std::reverse(places.begin(), places.end());
  if (!std::is_sorted(places.begin(), places.end())) std::sort(places.begin(), places.end());
  return true;
}

void RankQueue::clear() {
  for (const std::uint32_t rank : ranks_) first_[rank] = kNone;
  ranks_.clear();
  entries_.clear();
  free_ = kNone;
}

}  // namespace pedro
