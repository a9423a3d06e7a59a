#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "job/batch_state.h"

namespace pedro {
namespace {

Environment with(std::map<std::string, std::string> variables) {
  return Environment{std::move(variables)};
}

std::string shown(const Result<BatchShard>& shard) {
  if (!shard) return shard.error().message;
  return fmt::format("{}/{} {}", shard->index, shard->count, shard->source);
}

Environment slurm(const std::string& id, const std::string& count, const std::string& first,
                  const std::string& last, const std::string& step) {
  return with({{"SLURM_ARRAY_TASK_ID", id},
               {"SLURM_ARRAY_TASK_COUNT", count},
               {"SLURM_ARRAY_TASK_MIN", first},
               {"SLURM_ARRAY_TASK_MAX", last},
               {"SLURM_ARRAY_TASK_STEP", step}});
}

}  // namespace

TEST_CASE("batch shard: the flag decides, then Slurm, then Kubernetes, else the batch is whole") {
  const Environment array = slurm("6", "4", "4", "7", "1");
  const Environment indexed = with({{"JOB_COMPLETION_INDEX", "0"}, {"JOB_COMPLETIONS", "3"}});
  const Environment both = [&] {
    Environment all = indexed;
    all.variables.insert(array.variables.begin(), array.variables.end());
    return all;
  }();
  struct Row {
    const char* name;
    std::string flag;
    Environment environment;
    std::string expected;
  };
  const std::string no_flag =
      "-shard: expected I/N with I from 0 to N-1 and N at most 10000, such as 0/8; got '";
  const std::string uneven = ": the array is not an evenly spaced range; give -shard I/N";
  const std::vector<Row> rows = {
      {"nothing is set", "", {}, "0/1 "},
      {"a flag", "3/8", {}, "3/8 -shard"},
      {"a flag before Slurm", "0/1", both, "0/1 -shard"},
      {"an array of 4-7", "", array, "2/4 SLURM_ARRAY_TASK_ID"},
      {"an array of 0-15:5", "", slurm("10", "4", "0", "15", "5"), "2/4 SLURM_ARRAY_TASK_ID"},
      {"Slurm before Kubernetes", "", both, "2/4 SLURM_ARRAY_TASK_ID"},
      {"an indexed job", "", indexed, "0/3 JOB_COMPLETION_INDEX"},
      {"an array of 1,3,7", "", slurm("3", "3", "1", "7", "1"), "SLURM_ARRAY_TASK_ID=3" + uneven},
      {"an array of 1,2,9", "", slurm("9", "3", "1", "9", "1"), "SLURM_ARRAY_TASK_ID=9" + uneven},
      {"an id below the first", "", slurm("3", "4", "4", "7", "1"),
       "SLURM_ARRAY_TASK_ID=3" + uneven},
      {"an array without a count", "", with({{"SLURM_ARRAY_TASK_ID", "3"}}),
       "SLURM_ARRAY_TASK_ID is set, but SLURM_ARRAY_TASK_COUNT is not 1 to 10000; give -shard I/N, "
       "or -shard 0/1 for the whole batch"},
      {"an array of words", "", slurm("x\x1b", "4", "4", "7", "1"),
       "SLURM_ARRAY_TASK_ID: expected a number, got 'x\xef\xbf\xbd'; give -shard I/N"},
      {"an index without a count", "", with({{"JOB_COMPLETION_INDEX", "2"}}),
       "JOB_COMPLETION_INDEX and JOB_COMPLETIONS are '2/', expected I/N with I from 0 to N-1; give "
       "-shard I/N, or -shard 0/1 for the whole batch"},
      {"an index as large as the count", "8/8", {}, no_flag + "8/8'"},
      {"a negative index", "-1/8", {}, no_flag + "-1/8'"},
      {"no count", "3/0", {}, no_flag + "3/0'"},
      {"too many", "0/10001", {}, no_flag + "0/10001'"},
      {"a number beyond 64 bits",
       "0/99999999999999999999",
       {},
       no_flag + "0/99999999999999999999'"},
      {"more than two numbers", "1/2/3", {}, no_flag + "1/2/3'"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(shown(choose_shard(row.flag, row.environment)) == row.expected);
  }
}

TEST_CASE("batch shard: each key belongs to exactly one shard, and the shards have a fair part") {
  constexpr int kKeys = 2000;
  for (const int count : {1, 2, 3, 8, 64}) {
    CAPTURE(count);
    std::vector<int> sizes(static_cast<std::size_t>(count), 0);
    for (int key = 0; key < kKeys; ++key) {
      int owners = 0;
      for (int index = 0; index < count; ++index) {
        if (!BatchShard{index, count}.has(fmt::format("{:016x}", key * 2654435761ULL))) continue;
        ++sizes[static_cast<std::size_t>(index)];
        ++owners;
      }
      CHECK(owners == 1);
    }
    const double even = static_cast<double>(kKeys) / count;
    CHECK(*std::min_element(sizes.begin(), sizes.end()) > even / 2);
    CHECK(*std::max_element(sizes.begin(), sizes.end()) < even * 2);
  }
}

TEST_CASE("batch shard: the state files beside a batch show its division") {
  struct Row {
    const char* name;
    std::vector<std::string> files;
    std::string expected;
  };
  const std::vector<Row> rows = {
      {"none", {"/b/t.jsonl"}, "0"},
      {"the whole batch", {"/b/t.state"}, "1"},
      {"some shards", {"/b/t.state.0-of-8", "/b/t.state.7-of-8"}, "8"},
      {"other files", {"/b/t.state.bak", "/b/t.state.9-of-8", "/b/t.state2", "/b/x.0-of-2"}, "0"},
      {"two divisions",
       {"/b/t.state.0-of-4", "/b/t.state.0-of-8"},
       "/b/t.state: has state files of 4 shards and of 8; remove those that do not count"},
      {"the whole and a shard",
       {"/b/t.state", "/b/t.state.0-of-8"},
       "/b/t.state: has state files of 1 shards and of 8; remove those that do not count"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    FakeFileSystem files;
    for (const std::string& path : row.files) files.files[path] = "";
    const Result<int> count = shards_of_states(files, "/b/t.state");
    CHECK((count ? std::to_string(*count) : count.error().message) == row.expected);
  }
  CHECK(BatchShard{3, 8}.state_path("t.state") == "t.state.3-of-8");
  CHECK(BatchShard{}.state_path("t.state") == "t.state");
}

}  // namespace pedro
