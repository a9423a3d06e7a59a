#include "sys/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxMachineFileBytes = 256u << 10;
constexpr int kMaxProcessors = 4096;
constexpr std::string_view kGroups = "/sys/fs/cgroup";

std::string read_or_empty(const FileSystem& files, const std::string& path) {
  Result<std::string> text = files.read(path, kMaxMachineFileBytes);
  return text ? *std::move(text) : "";
}

// Returns the number at the start of a text: "max" has none.
std::optional<std::uint64_t> leading_number(std::string_view text) {
  text = trim(text);
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// Returns the value of "NAME:  VALUE" in a file of such lines.
std::string_view field_of(std::string_view text, std::string_view name) {
  for (const std::string_view line : split_lines(text)) {
    if (line.starts_with(name)) return trim(line.substr(name.size()));
  }
  return "";
}

// Reads "0-3,8": the processors that this process may run on.
std::vector<int> processors_in(std::string_view list) {
  std::vector<int> processors;
  for (const std::string_view range : split(list, ',')) {
    const std::optional<std::uint64_t> first = leading_number(range);
    if (!first) continue;
    const std::size_t dash = range.find('-');
    const auto last = dash == range.npos ? first : leading_number(range.substr(dash + 1));
    for (std::uint64_t at = *first; at <= last.value_or(*first) && at < kMaxProcessors; ++at) {
      processors.push_back(static_cast<int>(at));
    }
  }
  return processors;
}

// Counts processors that share a core as one.
std::size_t count_cores(const FileSystem& files) {
  const std::string status = read_or_empty(files, "/proc/self/status");
  std::set<std::string> cores;
  for (const int processor : processors_in(field_of(status, "Cpus_allowed_list:"))) {
    const std::string siblings = read_or_empty(
        files,
        fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", processor));
    cores.insert(siblings.empty() ? std::to_string(processor) : siblings);
  }
  return cores.size();
}

// The folders of this process's control groups, of version 2 and of the memory of version 1. A
// container sees its own group at the root.
std::vector<std::string> group_folders(const FileSystem& files) {
  std::vector<std::string> folders = {std::string(kGroups), std::string(kGroups) + "/memory"};
  const std::string groups = read_or_empty(files, "/proc/self/cgroup");
  for (const std::string_view line : split_lines(groups)) {
    const std::vector<std::string_view> parts = split(line, ':');
    if (parts.size() != 3 || parts[2] == "/") continue;
    if (parts[1].empty()) folders.push_back(fmt::format("{}{}", kGroups, parts[2]));
    if (parts[1] == "memory") folders.push_back(fmt::format("{}/memory{}", kGroups, parts[2]));
  }
  return folders;
}

// Returns the processors' time that a group may use, rounded up: "150000 100000" is 2.
std::optional<std::uint64_t> quota_of(const FileSystem& files, const std::string& folder) {
  const std::string text = read_or_empty(files, folder + "/cpu.max");
  const std::vector<std::string_view> parts = split(trim(text), ' ');
  if (parts.size() != 2) return std::nullopt;
  const auto quota = leading_number(parts[0]);
  const auto period = leading_number(parts[1]);
  if (!quota || !period || *period == 0) return std::nullopt;
  return (*quota + *period - 1) / *period;
}

}  // namespace

Machine this_machine(const FileSystem& files) {
  std::uint64_t cores = count_cores(files);
  const std::string memory = read_or_empty(files, "/proc/meminfo");
  std::uint64_t bytes = leading_number(field_of(memory, "MemAvailable:")).value_or(0) * 1024;
  for (const std::string& folder : group_folders(files)) {
    if (const auto quota = quota_of(files, folder)) cores = std::min(cores, *quota);
    for (const char* name : {"/memory.max", "/memory.limit_in_bytes"}) {
      const auto limit = leading_number(read_or_empty(files, folder + name));
      if (limit && bytes > 0) bytes = std::min(bytes, *limit);
    }
  }
  return {static_cast<int>(std::max<std::uint64_t>(1, cores)), bytes};
}

}  // namespace pedro
