#include "job/batch_state.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "job/exit_code.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxStateBytes = 64u << 20;
// Another run would only repeat these results.
constexpr std::array kSettledCodes = {kExitDone,   kExitNotVerified,    kExitLimit,
                                      kExitDenied, kExitNothingChanged, kExitBlocked};

Json to_json(const TaskRecord& record, const Clock& clock) {
  Json line = {{"ts", to_rfc3339(clock.now_ms())},
               {"type", record.ended ? "task.ended" : "task.started"},
               {"key", record.key},
               {"line", record.line},
               {"agent", record.agent},
               {"job", record.job}};
  if (!record.server.empty()) line["server"] = record.server;
  if (!record.moved_from.empty()) line["moved_from"] = record.moved_from;
  if (record.moves > 0)
    line.update({{"moves", record.moves}, {"moved_tokens", record.moved_tokens}});
  if (!record.ended) {
    line["host"] = record.host;
    line["pid"] = record.process.pid;
    line["start_ticks"] = record.process.start_ticks;
    return line;
  }
  line.update({{"exit_code", record.exit_code},
               {"outcome", record.outcome},
               {"branch", record.branch},
               {"error", record.error},
               {"duration_s", record.duration_s}});
  return line;
}

TaskRecord record_of(const Json& line) {
  const auto text = [&line](std::string_view key) { return make_printable(text_of(line, key)); };
  TaskRecord record;
  record.key = text("key");
  record.line = static_cast<int>(number_of(line, "line"));
  record.agent = text("agent");
  record.job = text("job");
  record.host = text("host");
  record.server = text("server");
  record.moved_from = text("moved_from");
  record.moves = static_cast<int>(number_of(line, "moves"));
  record.moved_tokens = number_of(line, "moved_tokens");
  record.process = {static_cast<long>(number_of(line, "pid")), number_of(line, "start_ticks")};
  record.ended = text_of(line, "type") == "task.ended";
  record.exit_code = static_cast<int>(number_of(line, "exit_code"));
  record.outcome = text("outcome");
  record.branch = text("branch");
  record.error = text("error");
  record.duration_s = real_of(line, "duration_s");
  return record;
}

// Returns true if an incomplete line starts like a record. It may be as short as one byte.
bool is_torn(std::string_view line) {
  constexpr std::string_view kBegin = R"({"ts":")";
  return line.substr(0, kBegin.size()) == kBegin.substr(0, line.size());
}

// Skips incomplete lines of a process that died. Refuses a file whose first line is not a record.
Result<TaskRecords> records_in(std::string_view text) {
  TaskRecords records;
  const std::vector<std::string_view> lines = split_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Result<Json> line = parse_json(lines[i]);
    const bool ours = line && text_of(*line, "type").starts_with("task.");
    if (ours) {
      TaskRecord record = record_of(*line);
      records[record.key] = std::move(record);
    } else if (i == 0 && !trim(text).empty() && (line || !is_torn(lines[i]))) {
      return usage_error("is not a batch state; give another -state FILE, or remove it");
    }
  }
  return records;
}

}  // namespace

bool is_settled(const TaskRecord& record) {
  return record.ended && std::find(kSettledCodes.begin(), kSettledCodes.end(), record.exit_code) !=
                             kSettledCodes.end();
}

Result<TaskRecords> read_task_records(const FileSystem& files, const std::string& path) {
  const Result<std::string> text = files.read(path, kMaxStateBytes);
  if (!text) return usage_error(text.error().message);
  Result<TaskRecords> records = records_in(*text);
  if (!records) return records.error().at(path);
  return records;
}

Result<BatchState> BatchState::open(const Clock& clock, const std::string& path) {
  PEDRO_TRY(LockedFile file, LockedFile::open(path));
  return read(clock, std::move(file), path);
}

Result<BatchState> BatchState::read(const Clock& clock, LockedFile file, const std::string& path) {
  BatchState state(clock, std::move(file));
  PEDRO_TRY(const std::string text, state.file_.read(kMaxStateBytes));
  Result<TaskRecords> records = records_in(text);
  if (!records) return records.error().at(path);
  state.records_ = *std::move(records);
  return state;
}

const TaskRecord* BatchState::find(const std::string& key) const {
  const auto found = records_.find(key);
  return found == records_.end() ? nullptr : &found->second;
}

Status BatchState::note(const TaskRecord& record) {
  if (Status added = file_.append(to_line(to_json(record, *clock_))); !added) return added;
  records_[record.key] = record;
  return {};
}

}  // namespace pedro
