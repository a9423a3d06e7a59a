#include "job/read_journal.h"

#include "base/text.h"
#include "job/log_limit.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxLineBytes = 4u << 20;

}  // namespace

Result<JournalReading> read_journal(const FileSystem& files, const std::string& path,
                                    const std::function<void(const Json& event)>& on_event) {
  PEDRO_TRY(const std::string text, files.read(path, LogLimit().max_bytes));
  JournalReading reading;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    if (trim(line).empty()) continue;
    const Result<Json> event = parse_json(line, {.max_bytes = kMaxLineBytes});
    if (event && event->is_object()) {
      ++reading.events;
      on_event(*event);
    } else if (end == std::string_view::npos) {
      reading.torn_tail = true;
    } else {
      ++reading.junk_lines;
    }
  }
  return reading;
}

}  // namespace pedro
