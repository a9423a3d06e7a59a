#include "job/batch_shard.h"

#include <fmt/format.h>

#include <optional>

#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

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
