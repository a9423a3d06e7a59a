#include "gbnf/frame_pool.h"

namespace pedro {
namespace {

std::size_t frame_hash(const Frame& frame) {
  std::uint64_t hash = frame.resume * 0x9E3779B97F4A7C15u;
  hash = (hash ^ (hash >> 29) ^ frame.count) * 0xBF58476D1CE4E5B9u;
  hash = (hash ^ (hash >> 32) ^ frame.parent) * 0x94D049BB133111EBu;
  return static_cast<std::size_t>(hash ^ (hash >> 31));
}

}  // namespace

FramePool::FramePool() : frames_(1), depths_(1), index_(16) {}

FrameId FramePool::push(const Frame& frame) {
  if (frames_.size() * 2 >= index_.size()) grow_index();
  const std::size_t slot = slot_of(frame);
  if (index_[slot] == 0) {
    index_[slot] = static_cast<FrameId>(frames_.size());
    depths_.push_back(depths_[frame.parent] + 1);
    frames_.push_back(frame);
  }
  return index_[slot];
}

// Returns the slot of `frame`, or the free slot where it belongs.
std::size_t FramePool::slot_of(const Frame& frame) const {
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = frame_hash(frame) & mask;
  while (index_[slot] != 0) {
    const Frame& there = frames_[index_[slot]];
    const bool same =
        there.resume == frame.resume && there.count == frame.count && there.parent == frame.parent;
    if (same) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

void FramePool::grow_index() {
  index_.assign(index_.size() * 2, 0);
  for (std::size_t id = 1; id < frames_.size(); ++id) {
    index_[slot_of(frames_[id])] = static_cast<FrameId>(id);
  }
}

}  // namespace pedro
