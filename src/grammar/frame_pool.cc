#include "grammar/frame_pool.h"

#include <algorithm>

namespace pedro {
namespace {

constexpr std::size_t kMinThreshold = 256;

std::size_t hash_of(const Frame& frame) {
  std::uint64_t hash = frame.resume * 0x9E3779B97F4A7C15u;
  hash = (hash ^ (hash >> 29) ^ frame.count) * 0xBF58476D1CE4E5B9u;
  hash = (hash ^ (hash >> 32) ^ frame.parent) * 0x94D049BB133111EBu;
  return static_cast<std::size_t>(hash ^ (hash >> 31));
}

}  // namespace

FramePool::FramePool() : frames_(1), threshold_(kMinThreshold) {}

FrameId FramePool::push(const Frame& frame) {
  if (frames_.size() * 2 >= index_.size()) rebuild_index();
  const std::size_t slot = slot_of(frame);
  if (index_[slot] == 0) {
    index_[slot] = static_cast<FrameId>(frames_.size());
    frames_.push_back(frame);
  }
  return index_[slot];
}

void FramePool::compact(std::vector<FrameId*>& tops) {
  std::vector<FrameId> moved(frames_.size(), 0);
  moved[0] = 1;
  for (const FrameId* top : tops) moved[*top] = 1;
  for (std::size_t id = frames_.size(); id-- > 1;) {
    if (moved[id] != 0) moved[frames_[id].parent] = 1;
  }
  std::size_t kept = 0;
  for (std::size_t id = 0; id < frames_.size(); ++id) {
    if (moved[id] == 0) continue;
    Frame frame = frames_[id];
    frame.parent = moved[frame.parent];
    moved[id] = static_cast<FrameId>(kept);
    frames_[kept++] = frame;
  }
  for (FrameId* top : tops) *top = moved[*top];
  frames_.resize(kept);
  threshold_ = std::max(kMinThreshold, kept * 2);
  rebuild_index();
}

// Where `frame` is, or the free slot where it belongs.
std::size_t FramePool::slot_of(const Frame& frame) const {
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = hash_of(frame) & mask;
  while (index_[slot] != 0) {
    const Frame& there = frames_[index_[slot]];
    const bool same =
        there.resume == frame.resume && there.count == frame.count && there.parent == frame.parent;
    if (same) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

void FramePool::rebuild_index() {
  std::size_t size = 16;
  while (size < frames_.size() * 4) size *= 2;
  index_.assign(size, 0);
  for (std::size_t id = 1; id < frames_.size(); ++id) {
    index_[slot_of(frames_[id])] = static_cast<FrameId>(id);
  }
}

}  // namespace pedro
