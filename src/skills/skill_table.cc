#include "skills/skill_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "sys/confined_file_system.h"

namespace pedro {
namespace {

constexpr int kMaxLevels = 3;
constexpr std::size_t kMaxFolders = 500;
constexpr std::size_t kMaxSkills = 64;
constexpr std::size_t kMaxListedFiles = 50;

bool is_skipped(const FolderEntry& entry) {
  return entry.name.starts_with('.') || entry.name == "node_modules";
}

class Search {
 public:
  Search(const FileSystem& files, SkillTable& table) : files_(files), table_(table) {}

  void look_into(const SkillPlace& place) {
    for (const std::string& folder : folders_of(place)) add(folder, place);
  }

 private:
  bool is_skill(const std::string& folder) const {
    return files_.link_info(join_path(folder, kSkillFile)).kind != FileKind::kMissing;
  }

  // Returns the folders with a SKILL.md, sorted.
  std::vector<std::string> folders_of(const SkillPlace& place) {
    if (is_skill(place.folder)) return {place.folder};
    std::vector<std::string> found;
    std::size_t looked_at = 0;
    std::vector<std::pair<std::string, int>> todo{{place.folder, 0}};  // with the level
    while (!todo.empty() && looked_at <= kMaxFolders) {
      const auto [folder, level] = std::move(todo.back());
      todo.pop_back();
      const auto entries = files_.list(folder);
      if (!entries) continue;
      for (const FolderEntry& entry : *entries) {
        const std::string path = join_path(folder, entry.name);
        if (is_skipped(entry) || files_.info(path).kind != FileKind::kFolder) continue;
        if (++looked_at > kMaxFolders) break;
        if (is_skill(path)) {
          found.push_back(path);
        } else if (level + 1 < kMaxLevels) {
          todo.emplace_back(path, level + 1);
        }
      }
    }
    if (looked_at > kMaxFolders) report(place.folder, "has more than 500 folders");
    std::sort(found.begin(), found.end());
    return found;
  }

  void add(const std::string& folder, const SkillPlace& place) {
    const std::string file = join_path(folder, kSkillFile);
    const auto real = files_.canonical(folder);
    if (!real) return report(file, real.error().message);
    if (!place.confined.empty() && !is_below(*real, place.confined)) {
      return report(file, "is a link to a place outside of the project");
    }
    Skill skill;
    skill.folder = *real;
    const auto text = read_skill(skill);
    if (!text) return report(file, text.error().message);
    if (const Skill* other = table_.find(text->skill.name)) {
      if (other->folder != *real) {
        table_.hidden.push_back(make_printable(fmt::format("{}: is hidden by the skill '{}' in {}",
                                                           file, other->name, other->folder)));
      }
      return;
    }
    if (table_.skills.size() >= kMaxSkills) {
      return report(file, fmt::format("there are more than {} skills", kMaxSkills));
    }
    table_.skills.push_back(text->skill);
  }

  void report(const std::string& path, std::string_view problem) {
    table_.problems.push_back(make_printable(fmt::format("{}: {}", path, problem)));
  }

  const FileSystem& files_;
  SkillTable& table_;
};

}  // namespace

const Skill* SkillTable::find(std::string_view name) const {
  const auto found = std::ranges::find(skills, name, &Skill::name);
  return found == skills.end() ? nullptr : &*found;
}

std::vector<std::string> SkillTable::names() const {
  std::vector<std::string> names;
  for (const Skill& skill : skills) names.push_back(skill.name);
  return names;
}

SkillTable find_skills(const FileSystem& files, const std::vector<SkillPlace>& places) {
  SkillTable table;
  Search search(files, table);
  for (const SkillPlace& place : places) search.look_into(place);
  std::ranges::sort(table.skills, {}, &Skill::name);
  return table;
}

Result<SkillText> read_skill(const Skill& skill) {
  PEDRO_TRY(const auto files, ConfinedFileSystem::open(skill.folder));
  PEDRO_TRY(const std::string bytes,
            files->read(join_path(skill.folder, kSkillFile), kMaxSkillFileBytes));
  return parse_skill(skill.folder, bytes);
}

Result<std::string> read_skill_file(const Skill& skill, const std::string& path) {
  if (path.find('\0') != path.npos) return refusal("a path with a NUL character");
  const auto files = ConfinedFileSystem::open(skill.folder);
  if (!files) return refusal(files.error().message);
  auto bytes = (*files)->read(join_path(skill.folder, path), kMaxSkillFileBytes);
  if (!bytes) return refusal(bytes.error().message);
  if (!is_valid_utf8(*bytes)) return refusal(path + ": is not a text");
  return bytes;
}

std::vector<std::string> files_of(const Skill& skill) {
  std::vector<std::string> found;
  const auto files = ConfinedFileSystem::open(skill.folder);
  if (!files) return found;
  std::vector<std::pair<std::string, int>> todo{{skill.folder, 0}};
  while (!todo.empty() && found.size() < kMaxListedFiles) {
    const auto [folder, level] = std::move(todo.back());
    todo.pop_back();
    const auto entries = (*files)->list(folder);
    if (!entries) continue;
    for (const FolderEntry& entry : *entries) {
      const std::string path = join_path(folder, entry.name);
      if (is_skipped(entry) || path == join_path(skill.folder, kSkillFile)) continue;
      const FileKind kind = (*files)->info(path).kind;
      if (kind == FileKind::kFolder && level + 1 < kMaxLevels) todo.emplace_back(path, level + 1);
      if (kind == FileKind::kFile) found.push_back(path.substr(skill.folder.size() + 1));
    }
  }
  std::sort(found.begin(), found.end());
  if (found.size() > kMaxListedFiles) found.resize(kMaxListedFiles);
  return found;
}

}  // namespace pedro
