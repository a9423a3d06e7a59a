#include "job/token_log.h"

namespace pedro {

void TokenLog::add(const Json& event) {
  Json line = {{"ts", to_rfc3339(clock_.now_ms())}};
  line.update(event);
  const std::string text = to_line(line) + "\n";
  if (!path_.empty()) return append(text);
  if (kept_.size() + text.size() > kMaxKeptBytes) {
    ++lost_;
  } else {
    kept_ += text;
  }
}

void TokenLog::open(const std::string& folder) {
  path_ = join_path(folder, "tokens.jsonl");
  if (!kept_.empty()) append(kept_);
  kept_.clear();
  if (lost_ > 0) add({{"type", "missing"}, {"events", lost_}});
}

void TokenLog::append(std::string_view lines) {
  if (status_) status_ = files_.append(path_, lines);
}

}  // namespace pedro
