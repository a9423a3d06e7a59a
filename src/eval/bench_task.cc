#include "eval/bench_task.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "eval/check_keys.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxTaskBytes = 4u << 20;
constexpr std::string_view kSets[] = {"tiny", "small"};

Status read_text(const Json& json, const char* key, std::string& text) {
  text = text_of(json, key);
  return trim(text).empty() ? Status(config_error(key, "expected a string")) : Status();
}

Status read_texts(const Json& json, const char* key, std::vector<std::string>& texts) {
  const Json& list = member(json, key);
  bool whole = list.is_array();
  for (std::size_t i = 0; whole && i < list.size(); ++i) {
    whole = list[i].is_string() && !list[i].get<std::string>().empty();
    if (whole) texts.push_back(list[i].get<std::string>());
  }
  return whole ? Status() : Status(config_error(key, "expected a list of strings"));
}

// Returns true for a relative path in git's notation, outside of `.git/`.
bool is_inner_path(const std::string& path) {
  return !path.starts_with('/') && !path.starts_with("..") && path != "." &&
         normal_path(path) == path && !path.starts_with(".git/");
}

Status check_values(const BenchTask& task) {
  if (std::find(std::begin(kBenchKinds), std::end(kBenchKinds), task.kind) ==
      std::end(kBenchKinds)) {
    return config_error("kind", fmt::format("expected one of {}, got '{}'",
                                            fmt::join(kBenchKinds, ", "), task.kind));
  }
  for (const std::string& set : task.sets) {
    if (std::find(std::begin(kSets), std::end(kSets), set) != std::end(kSets)) continue;
    return config_error("sets", fmt::format("expected tiny or small, got '{}'", set));
  }
  if (task.files.empty()) return config_error("files", "expected at least one file");
  for (const std::string& path : task.files) {
    if (!is_inner_path(path)) {
      return config_error("files", fmt::format("expected a path below repo/, got '{}'", path));
    }
  }
  return {};
}

Result<BenchTask> load_task(const FileSystem& files, const std::string& folder) {
  const std::string place = join_path(folder, "task.json");
  const Result<std::string> text = files.read(place, kMaxTaskBytes);
  if (!text) return Error{ErrorKind::kConfig, text.error().message};
  Result<BenchTask> task = read_bench_task(place, *text);
  if (!task) return task;
  task->folder = folder;
  task->name = base_name(folder);
  for (const auto& [part, kind] : {std::pair{"issue.md", FileKind::kFile},
                                   {"repo", FileKind::kFolder},
                                   {"hidden", FileKind::kFolder}}) {
    const std::string path = join_path(folder, part);
    if (files.info(path).kind != kind) {
      return config_error(
          path, kind == FileKind::kFile ? "expected a file here" : "expected a folder here");
    }
  }
  return task;
}

bool is_among(const std::string& text, const std::vector<std::string>& texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// Hashes the path and the bytes of every file below `top`, in a fixed order.
Status add_tree(const FileSystem& files, const std::string& top, std::uint64_t& hash) {
  std::vector<std::string> todo = {top};
  while (!todo.empty()) {
    const std::string path = std::move(todo.back());
    todo.pop_back();
    const FileKind kind = files.link_info(path).kind;
    if (kind == FileKind::kFolder) {
      PEDRO_TRY(const auto entries, files.list(path));
      for (const FolderEntry& entry : entries) todo.push_back(join_path(path, entry.name));
      continue;
    }
    PEDRO_TRY(const std::string bytes,
              kind == FileKind::kSymlink ? files.read_link(path) : files.read(path, kMaxTaskBytes));
    hash = hash_bytes(path.substr(top.size()), hash);
    hash = hash_bytes(fmt::format("\n{}\n", bytes.size()), hash);
    hash = hash_bytes(bytes, hash);
  }
  return {};
}

}  // namespace

Result<BenchTask> read_bench_task(std::string_view place, std::string_view text) {
  const Result<Json> json = parse_json(text);
  if (!json) return json.error().at(place);
  BenchTask task;
  Status read =
      check_keys(*json, {"title", "language", "kind", "sets", "check", "hidden", "files", "needs"});
  for (const auto& [key, value] : {std::pair<const char*, std::string*>{"title", &task.title},
                                   {"language", &task.language},
                                   {"kind", &task.kind},
                                   {"check", &task.check},
                                   {"hidden", &task.hidden}}) {
    if (read) read = read_text(*json, key, *value);
  }
  for (const auto& [key, value] :
       {std::pair<const char*, std::vector<std::string>*>{"sets", &task.sets},
        {"files", &task.files},
        {"needs", &task.needs}}) {
    if (read) read = read_texts(*json, key, *value);
  }
  if (read) read = check_values(task);
  if (!read) return read.error().at(place);
  return task;
}

Result<std::vector<BenchTask>> load_bench_tasks(const FileSystem& files, const std::string& folder,
                                                const BenchChoice& choice) {
  const auto entries = files.list(folder);
  if (!entries) return Error{ErrorKind::kUsage, entries.error().message};
  std::vector<std::string> names;
  for (const FolderEntry& entry : *entries) {
    if (entry.kind == FileKind::kFolder) names.push_back(entry.name);
  }
  for (const std::string& name : choice.names) {
    if (is_among(name, names)) continue;
    return usage_error(
        fmt::format("-task: no task '{}'{} in {}", name, did_you_mean(name, names), folder));
  }
  std::vector<BenchTask> tasks;
  for (const std::string& name : names) {
    if (!choice.names.empty() && !is_among(name, choice.names)) continue;
    PEDRO_TRY(BenchTask task, load_task(files, join_path(folder, name)));
    if (choice.set == "full" || is_among(choice.set, task.sets)) tasks.push_back(std::move(task));
  }
  if (!tasks.empty()) return tasks;
  return usage_error(fmt::format("{}: no such task in the set '{}'", folder, choice.set));
}

Result<std::string> hash_of_tasks(const FileSystem& files, const std::vector<BenchTask>& tasks) {
  std::uint64_t hash = kHashSeed;
  for (const BenchTask& task : tasks) {
    hash = hash_bytes(task.name + "\n", hash);
    for (const char* part : {"task.json", "issue.md", "repo", "hidden"}) {
      PEDRO_RETURN_IF_ERROR(add_tree(files, join_path(task.folder, part), hash));
    }
  }
  return to_hex(hash);
}

}  // namespace pedro
