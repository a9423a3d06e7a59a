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
/// have equal numbers. A parent always has a lower number than its frame. Only grows. A value; one
/// thread.
class FramePool {
 public:
  FramePool();

  FrameId push(const Frame& frame);
  const Frame& operator[](FrameId id) const { return frames_[id]; }

  /// How many frames a stack has; that of the bottom is 0.
  std::size_t depth(FrameId id) const { return depths_[id]; }

  std::size_t size() const { return frames_.size(); }

 private:
  std::size_t slot_of(const Frame& frame) const;
  void grow_index();

  std::vector<Frame> frames_;
  std::vector<std::uint32_t> depths_;
  std::vector<FrameId> index_;  // open addressing; 0 is a free slot; a power of two in size
};

}  // namespace pedro
