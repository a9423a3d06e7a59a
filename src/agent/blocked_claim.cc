#include "agent/blocked_claim.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/tree_path.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFindings = 10;
constexpr std::size_t kMaxClaimedNameBytes = 200;

bool is_plain_name(std::string_view name) {
  constexpr std::string_view kAlso = "._+-/";
  return !name.empty() && name.size() <= kMaxClaimedNameBytes && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  kAlso.find(c) != kAlso.npos;
         });
}

std::string finding_of(const std::string& name, const ToolContext& tools) {
  const bool is_path = name.find_first_of("./") != name.npos;
  if (is_path) {
    return fmt::format(
        "`{}`: {}", name,
        existing_file(tools.tree, name) ? "is in the project" : "is not in the project");
  }
  return fmt::format("`{}`: this machine has {} program", name,
                     tools.processes.find(name).empty() ? "no such" : "this");
}

}  // namespace

std::vector<std::string> check_blocked_claim(std::string_view reason, const ToolContext& tools) {
  std::vector<std::string> findings;
  const std::vector<std::string_view> parts = split(reason, '`');
  for (std::size_t i = 1; i + 1 < parts.size() && findings.size() < kMaxFindings; i += 2) {
    if (is_plain_name(parts[i])) findings.push_back(finding_of(std::string(parts[i]), tools));
  }
  return findings;
}

}  // namespace pedro
