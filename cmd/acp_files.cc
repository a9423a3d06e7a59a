#include "acp_files.h"

#include "git/commit_files.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxReportBytes = 1u << 20;

}  // namespace

acp::JobSources AcpFiles::sources() {
  return {[this](const std::string& path) { return report(path); },
          [this](const std::string& workdir, const std::string& commit, const std::string& path) {
            return text_at(workdir, commit, path);
          }};
}

std::string AcpFiles::report(const std::string& path) const {
  if (path.empty()) return "";
  const Result<std::string> text = context_.files.read(path, kMaxReportBytes);
  return text ? *text : "";
}

std::optional<std::string> AcpFiles::text_at(const std::string& workdir, const std::string& commit,
                                             const std::string& path) {
  const auto [at, is_new] = repositories_.try_emplace(workdir);
  if (is_new) {
    Result<Repository> opened =
        Repository::open(context_.files, context_.processes, context_.cancel, workdir);
    if (opened) at->second = std::make_unique<Repository>(*std::move(opened));
  }
  if (!at->second) return std::nullopt;
  const Result<std::string> text = CommitFiles(at->second->git()).text_at(commit, path);
  return text ? std::optional(*text) : std::nullopt;
}

}  // namespace pedro
