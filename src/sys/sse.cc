#include "base/text.h"
#include "sys/http.h"

namespace pedro {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

bool SseParser::feed(std::string_view bytes,
                     const std::function<void(std::string_view data)>& on_event) {
  while (!bytes.empty() && !dead_) {
    // The "\n" of a "\r\n" may be in the next chunk.
    if (after_cr_ && bytes.front() == '\n') bytes.remove_prefix(1);
    after_cr_ = false;
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view piece = bytes.substr(0, end);
    dead_ = line_.size() + data_.size() + piece.size() > max_event_bytes;
    if (dead_) break;
    line_ += piece;
    if (end == std::string_view::npos) break;
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    end_line(on_event);
  }
  return !dead_;
}

void SseParser::finish(const std::function<void(std::string_view data)>& on_event) {
  if (dead_) return;
  if (!line_.empty()) end_line(on_event);
  end_line(on_event);
}

void SseParser::end_line(const std::function<void(std::string_view data)>& on_event) {
  std::string_view line = line_;
  if (first_line_ && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  first_line_ = false;
  if (line.empty()) {
    last_id_ = id_;
    if (has_data_) on_event(data_);
    name_.clear();
    data_.clear();
    has_data_ = false;
  } else {
    const std::string_view field = line.substr(0, line.find(':'));
    std::string_view value = line.substr(std::min(field.size() + 1, line.size()));
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "event") name_ = value;
    if (field == "data" && has_data_) data_ += '\n';
    if (field == "data") data_ += value;
    has_data_ |= field == "data";
    if (field == "id" && value.find('\0') == value.npos) id_ = value;
    if (field == "retry") retry_ms_ = number_from<long long>(value).value_or(retry_ms_);
  }
  line_.clear();
}

}  // namespace pedro
