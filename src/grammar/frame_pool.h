#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pedro {

/// Index of a frame; 0 is the bottom of every stack.
using FrameId = std::uint32_t;

/// Where a call or a repetition goes on, on top of the rest of its stack.
struct Frame {
  std::uint32_t resume = 0;  ///< Pc after the call, or of the repetition
  std::uint32_t count = 0;   ///< 0: a call; else how many times the repetition has begun its item
  FrameId parent = 0;
};

/// Stacks with shared tails: equal frames on equal stacks are the same frame, so that equal stacks
/// have equal numbers. A parent always has a lower number than its frame. A value; one thread.
class FramePool {
 public:
  FramePool();

  FrameId push(const Frame& frame);
  const Frame& operator[](FrameId id) const { return frames_[id]; }
  std::size_t size() const { return frames_.size(); }

  /// True where it has grown enough since it was last compacted to be worth looking for garbage.
  bool wants_compaction() const { return frames_.size() > threshold_; }

  /// Drops what no stack in `tops` uses, and renumbers `tops`.
  void compact(std::vector<FrameId*>& tops);

 private:
  std::size_t slot_of(const Frame& frame) const;
  void rebuild_index();

  std::vector<Frame> frames_;
  std::vector<FrameId> index_;  // open addressing; 0 is a free slot; a power of two in size
  std::size_t threshold_;
};

}  // namespace pedro
