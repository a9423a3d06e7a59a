#include "agent/fault_evidence.h"

#include <algorithm>

#include "agent/answers.h"
#include "base/hash.h"
#include "base/text.h"
#include "git/commit_files.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxEvidenceBytes = 16u << 20;

// Returns the hashes of non-blank lines. Ignores blanks at the ends of a line.
std::multiset<std::uint64_t> hashes_of_lines(std::string_view text) {
  std::multiset<std::uint64_t> hashes;
  for (const std::string_view line : split_lines(text)) {
    if (!trim(line).empty()) hashes.insert(hash_bytes(trim(line)));
  }
  return hashes;
}

std::multiset<std::uint64_t> lines_in(const Repository& repository, const std::string& path) {
  const auto text = repository.files().read(join_path(repository.root(), path), kMaxEvidenceBytes);
  return text ? hashes_of_lines(*text) : std::multiset<std::uint64_t>();
}

std::uint64_t content_now(const Repository& repository, const std::string& path) {
  return content_of(repository.files(), join_path(repository.root(), path)).hash;
}

}  // namespace

Result<FaultEvidence> FaultEvidence::take(const Repository& repository, const std::string& base,
                                          const std::vector<ChangedFile>& before,
                                          const std::set<std::string>& without,
                                          const std::set<std::string>& written) {
  PEDRO_TRY(const std::vector<ChangedFile> files, repository.changed_files(base));
  FaultEvidence evidence;
  std::set<std::string> unseen = written;
  for (const ChangedFile& file : before) unseen.erase(file.path);
  for (const ChangedFile& file : files) {
    unseen.erase(file.path);
    const bool known = std::any_of(before.begin(), before.end(), [&](const ChangedFile& earlier) {
      return same_state(earlier, file);
    });
    if (known || file.generated || without.count(file.path) > 0) continue;
    if (file.kind != ChangeKind::kModified) {
      evidence.files_.push_back({file.path, content_now(repository, file.path), {}, 0});
      continue;
    }
    PEDRO_TRY(const std::string text, CommitFiles(repository.git()).text_at(base, file.path));
    File modified{file.path, 0, {}, 0};
    const auto now = lines_in(repository, file.path);
    const auto then = hashes_of_lines(text);
    std::set_difference(now.begin(), now.end(), then.begin(), then.end(),
                        std::inserter(modified.lines, modified.lines.end()));
    if (!modified.lines.empty()) evidence.files_.push_back(std::move(modified));
  }
  PEDRO_TRY(const auto ignored, CommitFiles(repository.git()).not_in(base, unseen));
  for (const std::string& path : ignored) {
    const std::uint64_t content = content_now(repository, path);
    if (content != 0) evidence.files_.push_back({path, content, {}, 0});
  }
  const auto at = [&](const File& file) { return join_path(repository.root(), file.path); };
  std::erase_if(evidence.files_,
                [&](const File& file) { return content_of(repository.files(), at(file)).built; });
  for (File& file : evidence.files_) {
    file.modified_ns = repository.files().link_info(at(file)).modified_ns;
  }
  std::sort(evidence.files_.begin(), evidence.files_.end(),
            [](const File& a, const File& b) { return a.path < b.path; });
  return evidence;
}

void FaultEvidence::leave_out_written(const Repository& repository) {
  std::erase_if(files_, [&](const File& file) {
    const FileInfo now = repository.files().link_info(join_path(repository.root(), file.path));
    return now.modified_ns != file.modified_ns;
  });
}

std::vector<std::string> FaultEvidence::changed(const Repository& repository) const {
  std::vector<std::string> paths;
  for (const File& file : files_) {
    bool same = false;
    if (file.lines.empty()) {
      same = content_now(repository, file.path) == file.content;
    } else {
      const auto now = lines_in(repository, file.path);
      same = std::includes(now.begin(), now.end(), file.lines.begin(), file.lines.end());
    }
    if (!same) paths.push_back(file.path);
  }
  return paths;
}

Json FaultEvidence::json() const {
  Json list = Json::array();
  for (const File& file : files_) {
    Json lines = Json::array();
    for (const std::uint64_t line : file.lines) lines.push_back(to_hex(line));
    list.push_back({{"path", bytes_json(file.path)},
                    {"content", to_hex(file.content)},
                    {"lines", std::move(lines)}});
  }
  return list;
}

FaultEvidence FaultEvidence::from(const Json& json) {
  FaultEvidence evidence;
  for (const Json& entry : json) {
    File file{bytes_from(member(entry, "path")), from_hex(text_of(entry, "content")), {}, 0};
    for (const Json& line : member(entry, "lines")) {
      if (line.is_string()) file.lines.insert(from_hex(line.get<std::string>()));
    }
    evidence.files_.push_back(std::move(file));
  }
  return evidence;
}

}  // namespace pedro
