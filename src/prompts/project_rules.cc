#include "prompts/project_rules.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr const char* kName = "AGENTS.md";
constexpr std::string_view kJoint = "\n\n";
constexpr std::uint64_t kMaxFileBytes = 1u << 20;

}  // namespace

std::string project_rules(const FileSystem& files, const std::string& root,
                          const std::string& folder, std::size_t max_bytes) {
  std::string rules;
  for (std::string at = folder; (at + "/").starts_with(root + "/");
       at = std::string(folder_name(at))) {
    const std::string path = join_path(at, kName);
    if (files.link_info(path).kind == FileKind::kFile) {  // a link could lead anywhere
      const Result<std::string> text = files.read(path, kMaxFileBytes);
      const std::string clean = text ? make_printable(trim(*text)) : "";
      const std::size_t taken = rules.empty() ? 0 : rules.size() + kJoint.size();
      const std::size_t room = max_bytes - std::min(max_bytes, taken);
      const std::string kept = cut_middle(clean, room, "");
      if (!kept.empty() && kept.size() <= room) {
        rules = rules.empty() ? kept : kept + std::string(kJoint) + rules;
      }
    }
    if (at == "/") break;
  }
  return rules;
}

}  // namespace pedro
