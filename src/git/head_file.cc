#include "git/head_file.h"

#include <string_view>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxHeadBytes = 4096;
constexpr std::string_view kBranchRef = "ref: refs/heads/";

// Returns the line of a ref's file, or nothing if it is a link or has no single line.
std::optional<std::string> line_of(const FileSystem& files, const std::string& path) {
  if (files.link_info(path).kind != FileKind::kFile) return std::nullopt;
  const Result<std::string> text = files.read_begin(path, kMaxHeadBytes);
  if (!text || text->find('\n') + 1 != text->size()) return std::nullopt;
  return text->substr(0, text->size() - 1);
}

}  // namespace

std::optional<Head> read_head(const GitRunner& git) {
  std::optional<std::string> line = line_of(git.files(), join_path(git.git_folder(), "HEAD"));
  if (!line) return std::nullopt;
  if (is_full_id(*line)) return Head{"", *std::move(line)};
  if (!line->starts_with(kBranchRef)) return std::nullopt;
  Head head{line->substr(kBranchRef.size()), ""};
  // The branch of a reftable is ".invalid".
  if (!branch_problem(head.branch).empty() || !is_valid_utf8(head.branch)) return std::nullopt;
  const std::string ref = join_path(git.common_folder(), "refs/heads/" + head.branch);
  std::optional<std::string> id = line_of(git.files(), ref);
  if (id && !is_full_id(*id)) return std::nullopt;  // a ref to another branch
  if (id) head.commit = *std::move(id);
  return head;
}

}  // namespace pedro
