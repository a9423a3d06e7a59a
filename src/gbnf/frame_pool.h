#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pedro {

/// The index of a frame; 0 is the bottom of every stack.
using FrameId = std::uint32_t;

/// The resume point of a call or a repetition, on top of the rest of its stack.
struct Frame {
  std::uint32_t resume = 0;  ///< Pc after the call, or of the repetition
  std::uint32_t count = 0;   ///< 0 for a call, otherwise the number of items begun so far
  FrameId parent = 0;
};

/// Stacks with shared tails. Equal frames on equal stacks are stored once, so equal stacks have
/// equal ids. A parent always has a lower id than its frame. Only grows. A value; one thread.
class FramePool {
 public:
  FramePool();

  FrameId push(const Frame& frame);
  const Frame& operator[](FrameId id) const { return frames_[id]; }

  /// Returns the number of frames in a stack, 0 for the bottom.
  std::size_t depth(FrameId id) const { return depths_[id]; }

  std::size_t size() const { return frames_.size(); }

 private:
  std::size_t slot_of(const Frame& frame) const;
  void grow_index();

  std::vector<Frame> frames_;
  std::vector<std::uint32_t> depths_;
  std::vector<FrameId> index_;  // open addressing; 0 marks a free slot; size is a power of two
};

}  // namespace pedro
