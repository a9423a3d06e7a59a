#include "job/batch_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/hash.h"
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

std::optional<BatchShard> shard_of(std::string_view text, std::string_view between) {
  const std::size_t at = text.find(between);
  if (at == text.npos) return std::nullopt;
  const auto index = number_from<unsigned>(text.substr(0, at));
  const auto count = number_from<unsigned>(text.substr(at + between.size()));
  if (!index || !count || *count < 1 || *count > kMaxShards || *index >= *count) {
    return std::nullopt;
  }
  return BatchShard{static_cast<int>(*index), static_cast<int>(*count)};
}

// A variable that must be a number if it is set. Missing: `otherwise`.
Result<long long> number_in(const Environment& environment, const std::string& name,
                            long long otherwise) {
  const std::string text = environment.get(name);
  if (text.empty()) return otherwise;
  const auto value = number_from<unsigned>(text);
  if (value) return static_cast<long long>(*value);
  return usage_error(fmt::format("{}: expected a number, got '{}'; give -shard I/N", name,
                                 make_printable(truncate_utf8(text, 40))));
}

Result<BatchShard> shard_in_array(const Environment& environment) {
  constexpr const char* kIndex = "SLURM_ARRAY_TASK_ID";
  PEDRO_TRY(const long long id, number_in(environment, kIndex, 0));
  PEDRO_TRY(const long long count, number_in(environment, "SLURM_ARRAY_TASK_COUNT", 0));
  PEDRO_TRY(const long long first, number_in(environment, "SLURM_ARRAY_TASK_MIN", 0));
  PEDRO_TRY(const long long step, number_in(environment, "SLURM_ARRAY_TASK_STEP", 1));
  if (count < 1 || count > kMaxShards) {
    return usage_error(fmt::format(
        "{} is set, but SLURM_ARRAY_TASK_COUNT is not 1 to {}; give -shard I/N, or -shard 0/1 for "
        "the whole batch",
        kIndex, kMaxShards));
  }
  const long long space = step < 1 ? 1 : step;
  PEDRO_TRY(const long long last,
            number_in(environment, "SLURM_ARRAY_TASK_MAX", first + (count - 1) * space));
  const long long index = (id - first) / space;
  const bool even = (id - first) % space == 0 && (last - first) / space == count - 1;
  if (id < first || index >= count || !even) {
    return usage_error(
        fmt::format("{}={}: the array is not an evenly spaced range; give -shard I/N", kIndex, id));
  }
  return BatchShard{static_cast<int>(index), static_cast<int>(count), kIndex};
}

Result<BatchShard> shard_in_indexed_job(const Environment& environment) {
  constexpr const char* kIndex = "JOB_COMPLETION_INDEX";
  const std::string text = environment.get(kIndex) + "/" + environment.get("JOB_COMPLETIONS");
  std::optional<BatchShard> shard = shard_of(text, "/");
  if (!shard) {
    return usage_error(
        fmt::format("{} and JOB_COMPLETIONS are '{}', expected I/N with I from 0 to N-1; give "
                    "-shard I/N, or -shard 0/1 for the whole batch",
                    kIndex, make_printable(truncate_utf8(text, 40))));
  }
  shard->source = kIndex;
  return *std::move(shard);
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

bool BatchShard::has(std::string_view key) const {
  return hash_bytes(key) % static_cast<unsigned>(count) == static_cast<unsigned>(index);
}

std::string BatchShard::state_path(const std::string& base) const {
  return count == 1 ? base : fmt::format("{}.{}-of-{}", base, index, count);
}

Result<BatchShard> choose_shard(const std::string& flag, const Environment& environment) {
  if (!flag.empty()) {
    std::optional<BatchShard> shard = shard_of(flag, "/");
    if (!shard) {
      return usage_error(
          fmt::format("-shard: expected I/N with I from 0 to N-1 and N at most {}, "
                      "such as 0/8; got '{}'",
                      kMaxShards, flag));
    }
    shard->source = "-shard";
    return *std::move(shard);
  }
  if (!environment.get("SLURM_ARRAY_TASK_ID").empty()) return shard_in_array(environment);
  if (!environment.get("JOB_COMPLETION_INDEX").empty()) return shard_in_indexed_job(environment);
  return BatchShard{};
}

Result<int> shards_of_states(const FileSystem& files, const std::string& base) {
  const std::string folder(folder_name(base));
  const Result<std::vector<FolderEntry>> entries = files.list(folder);
  if (!entries) return usage_error(entries.error().message);
  const std::string_view name = base_name(base);
  int known = 0;
  for (const FolderEntry& entry : *entries) {
    const std::string_view found = entry.name;
    if (!found.starts_with(name)) continue;
    std::optional<BatchShard> shard;
    if (found == name) shard = BatchShard{};
    if (found.substr(name.size()).starts_with('.')) {
      shard = shard_of(found.substr(name.size() + 1), "-of-");
    }
    if (!shard) continue;
    if (known != 0 && known != shard->count) {
      return usage_error(
          fmt::format("{}: has state files of {} shards and of {}; remove those that do not count",
                      base, known, shard->count));
    }
    known = shard->count;
  }
  return known;
}

}  // namespace pedro
