#include "prompts/project_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr const char* kName = "AGENTS.md";
constexpr std::string_view kJoint = "\n\n";
constexpr std::uint64_t kMaxFileBytes = 1u << 20;
constexpr std::size_t kLeastShare = 256;

struct Rules {
  std::string place;  // path relative to the root
  std::string text;
};

// Returns the file's text, or the first MiB of a longer file. Returns "" if it is unreadable.
std::string head_of(const FileSystem& files, const std::string& path) {
  const Result<std::string> head = files.read_begin(path, kMaxFileBytes + 1);
  return head ? std::string(truncate_utf8(*head, kMaxFileBytes)) : "";
}

// Returns the nearest first. Follows a link only if its target is inside the root.
std::vector<Rules> find_rules(const FileSystem& files, const std::string& root,
                              const std::string& folder) {
  std::vector<Rules> found;
  for (std::string at = folder; is_below(at, root); at = std::string(folder_name(at))) {
    const std::string path = join_path(at, kName);
    const Result<std::string> real = files.canonical(path);
    if (real && is_below(*real, root) && files.info(*real).kind == FileKind::kFile) {
      const std::string text = head_of(files, *real);
      std::string clean = make_printable(trim(text));
      const std::size_t name = path.find_first_not_of('/', root.size());
      if (!clean.empty()) found.push_back({path.substr(name), std::move(clean)});
    }
    if (at == "/") break;
  }
  return found;
}

}  // namespace

std::string project_rules(const FileSystem& files, const std::string& root,
                          const std::string& folder, std::size_t max_bytes) {
  const Result<std::string> top = files.canonical(root);
  const Result<std::string> nearest = files.canonical(folder);
  if (!top || !nearest) return "";
  const std::vector<Rules> found = find_rules(files, *top, *nearest);
  // Reserves room so that the rules of one folder do not displace those of the whole project.
  const std::size_t share = max_bytes / 4 < kLeastShare ? 0 : max_bytes / 4;
  std::string rules;
  std::vector<std::string> left_out;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t taken = rules.empty() ? 0 : rules.size() + kJoint.size();
    std::size_t farther = 0;
    for (std::size_t j = i + 1; j < found.size(); ++j) {
      farther += found[j].text.size() + kJoint.size();
    }
    const std::size_t used = taken + (i == 0 ? std::min(share, farther) : 0);
    const std::size_t room = max_bytes - std::min(max_bytes, used);
    const std::string kept = cut_middle(found[i].text, room, found[i].place);
    if (kept.empty() || kept.size() > room) {
      left_out.push_back(found[i].place);
    } else {
      rules = rules.empty() ? kept : kept + std::string(kJoint) + rules;
    }
  }
  const std::string note = fmt::format("[left out: {}]{}", join(left_out, ", "), kJoint);
  const bool fits = !left_out.empty() && rules.size() + note.size() <= max_bytes;
  return fits ? note + rules : rules;
}

}  // namespace pedro
