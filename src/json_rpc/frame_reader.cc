#include "json_rpc/frame_reader.h"

#include <utility>

#include "base/text.h"

namespace pedro::json_rpc {

void FrameReader::take(std::string_view part) {
  if (too_long_ || rest_.size() + part.size() > max_bytes_) {
    too_long_ = true;
    rest_.clear();
    rest_.shrink_to_fit();
  } else {
    rest_ += part;
  }
}

void FrameReader::feed(std::string_view bytes, const OnFrame& on_frame) {
  for (std::size_t end = bytes.find('\n'); end != bytes.npos; end = bytes.find('\n')) {
    take(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
    const std::string frame = std::exchange(rest_, "");
    const bool too_long = std::exchange(too_long_, false);
    if (too_long || !trim(frame).empty()) on_frame(frame, too_long);
  }
  take(bytes);
}

}  // namespace pedro::json_rpc
