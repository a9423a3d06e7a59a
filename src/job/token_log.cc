#include "job/token_log.h"

namespace pedro {

void TokenLog::open(const std::string& folder) {
  path_ = join_path(folder, "tokens.jsonl");
}

void TokenLog::add(const Json& event) {
  if (!status_) return;
  Json line = {{"ts", to_rfc3339(clock_.now_ms())}};
  line.update(event);
  status_ = files_.append(path_, to_line(line) + "\n");
}

}  // namespace pedro
