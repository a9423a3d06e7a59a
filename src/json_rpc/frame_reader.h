#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace pedro::json_rpc {

/// The limit of a frame, in bytes.
inline constexpr std::size_t kMaxFrameBytes = std::size_t{16} << 20;

/// Splits the bytes of a client into frames: lines that end with a newline. Keeps at most the limit
/// in memory. Skips blank lines.
///
///     FrameReader reader;
///     reader.feed("{\"id\":1}\n{\"id\"", [](std::string_view frame, bool too_long) { ... });
class FrameReader {
 public:
  /// Receives a frame without its newline. A frame over the limit is "" with `too_long`, once, when
  /// its end arrives.
  using OnFrame = std::function<void(std::string_view frame, bool too_long)>;

  explicit FrameReader(std::size_t max_bytes = kMaxFrameBytes) : max_bytes_(max_bytes) {}

  void feed(std::string_view bytes, const OnFrame& on_frame);

  /// Returns true inside a frame. At the end of the input, that frame is incomplete.
  bool is_inside() const { return too_long_ || !rest_.empty(); }

 private:
  void take(std::string_view part);

  std::size_t max_bytes_;
  std::string rest_;       // of the current frame
  bool too_long_ = false;  // the current frame
};

}  // namespace pedro::json_rpc
