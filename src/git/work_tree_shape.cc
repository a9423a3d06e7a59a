#include "git/work_tree_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/text.h"
#include "sys/repositories.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::uint32_t kRuns = 0100;
constexpr std::uint64_t kMaxLinkedBytes = 64u << 20;
constexpr std::string_view kModes = "Modes: ";         // of files, programs and folders
constexpr std::string_view kMode = "Mode: ";           // and a path
constexpr std::string_view kEmpty = "Empty folder: ";  // and a path
constexpr std::string_view kLink = "Hard link: ";      // and the number of the group, and a path

// Quotes a path so that any text encoding keeps it.
std::string ascii_path(std::string_view path) {
  const bool is_plain = std::all_of(path.begin(), path.end(),
                                    [](char c) { return c >= 0x20 && c < 0x7f && c != '"'; });
  if (is_plain) return std::string(path);
  std::string quoted = "\"";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\';
    quoted += is_letter ? std::string(1, c) : fmt::format("\\{:03o}", byte);
  }
  return quoted + '"';
}

std::uint32_t most_common(const std::map<std::uint32_t, int>& counts, std::uint32_t otherwise) {
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? otherwise : most->first;
}

// Takes a number and the blank after it from the start of a text.
std::optional<std::uint32_t> take_number(std::string_view& text, int base) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(' ')) text.remove_prefix(1);
  return number;
}

bool has_mode(const TreeEntry& entry) {
  return entry.kind == FileKind::kFile || entry.kind == FileKind::kFolder;
}

// Returns the folder of a relative path; "" is the root.
std::string folder_of_path(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, slash);
}

}  // namespace

const std::uint32_t& WorkTreeShape::usual(const TreeEntry& entry) const {
  if (entry.kind == FileKind::kFolder) return usual_.folder;
  return (entry.mode & kRuns) != 0 ? usual_.program : usual_.file;
}

std::vector<TreeEntry> WorkTreeShape::entries(const GitRunner& git) {
  return tree_entries(git.root(), [&git](const std::string& path) {
    const std::string place = join_path(git.root(), path);
    return !is_product(place, git.root()) &&
           git.files().link_info(join_path(place, ".git")).kind == FileKind::kMissing;
  });
}

WorkTreeShape WorkTreeShape::of(const GitRunner& git) {
  const std::vector<TreeEntry> all = entries(git);
  std::map<std::uint32_t, int> files;
  std::map<std::uint32_t, int> programs;
  std::map<std::uint32_t, int> folders;
  std::map<std::uint64_t, std::vector<std::string>> linked;
  WorkTreeShape shape;
  for (const TreeEntry& entry : all) {
    if (base_name(entry.path) == ".gitattributes") shape.has_attributes_ = true;
    if (entry.kind == FileKind::kFolder) ++folders[entry.mode];
    if (entry.kind != FileKind::kFile) continue;
    ++((entry.mode & kRuns) != 0 ? programs : files)[entry.mode];
    if (entry.links > 1) linked[entry.inode].push_back(entry.path);
  }
  shape.usual_ = {most_common(files, 0644), most_common(programs, 0755),
                  most_common(folders, 0755)};
  for (const TreeEntry& entry : all) {
    if (entry.entries == 0) shape.empty_.insert(entry.path);
    if (has_mode(entry) && entry.mode != shape.usual(entry)) shape.modes_[entry.path] = entry.mode;
  }
  for (auto& [inode, paths] : linked) {
    std::sort(paths.begin(), paths.end());
    if (paths.size() > 1) shape.links_.push_back(std::move(paths));
  }
  std::sort(shape.links_.begin(), shape.links_.end());
  return shape;
}

std::string WorkTreeShape::text() const {
  std::string text =
      fmt::format("{}{:o} {:o} {:o}\n", kModes, usual_.file, usual_.program, usual_.folder);
  for (const auto& [path, mode] : modes_) {
    text += fmt::format("{}{:o} {}\n", kMode, mode, ascii_path(path));
  }
  for (const std::string& path : empty_) text += fmt::format("{}{}\n", kEmpty, ascii_path(path));
  for (std::size_t i = 0; i < links_.size(); ++i) {
    for (const std::string& path : links_[i]) {
      text += fmt::format("{}{} {}\n", kLink, i, ascii_path(path));
    }
  }
  return text;
}

WorkTreeShape WorkTreeShape::parse(std::string_view text) {
  WorkTreeShape shape;
  std::map<std::uint32_t, std::vector<std::string>> linked;
  for (std::string_view line : split_lines(text)) {
    const auto begins = [&line](std::string_view mark) {
      const bool does = line.starts_with(mark);
      if (does) line.remove_prefix(mark.size());
      return does;
    };
    if (begins(kModes)) {
      for (std::uint32_t* mode :
           {&shape.usual_.file, &shape.usual_.program, &shape.usual_.folder}) {
        *mode = take_number(line, 8).value_or(0) & 07777;
      }
    } else if (begins(kMode)) {
      const auto mode = take_number(line, 8);
      const auto path = unquoted_path(line);
      if (mode && path) shape.modes_[*path] = *mode & 07777;
    } else if (begins(kEmpty)) {
      if (auto path = unquoted_path(line)) shape.empty_.insert(*std::move(path));
    } else if (begins(kLink)) {
      const auto group = take_number(line, 10);
      auto path = unquoted_path(line);
      if (group && path) linked[*group].push_back(*std::move(path));
    }
  }
  for (auto& [group, paths] : linked) shape.links_.push_back(std::move(paths));
  return shape;
}

// The steps of restore().
class WorkTreeShape::Restoring {
 public:
  Restoring(const WorkTreeShape& shape, const GitRunner& git, const Extent& extent)
      : shape_(shape), git_(git), extent_(extent) {
    for (const std::string& path : extent.written) {
      written_folders_.insert(folder_of_path(path));
    }
    for (const std::string& path : extent.known) {
      for (std::string folder = folder_of_path(path);
           !folder.empty() && known_folders_.insert(folder).second;) {
        folder = folder_of_path(folder);
      }
    }
  }

  int run() {
    make_folders();
    look();
    if (!shape_.keeps_folders_) remove_folders();
    link_files();
    look();
    set_modes();
    return changed_;
  }

 private:
  // Lists the work tree.
  void look() {
    entries_ = WorkTreeShape::entries(git_);
    by_path_.clear();
    for (TreeEntry& entry : entries_) by_path_[entry.path] = &entry;
  }

  std::string at(const std::string& path) const { return join_path(git_.root(), path); }

  bool may_change(const TreeEntry& entry) const {
    return entry.changed_ns <= extent_.until_ns || extent_.written.contains(entry.path) ||
           (entry.kind == FileKind::kFolder && written_folders_.contains(entry.path));
  }

  void make_folders() {
    for (const std::string& path : shape_.empty_) {
      if (git_.files().link_info(at(path)).kind != FileKind::kMissing) continue;
      std::string above = folder_of_path(path);
      FileInfo info = git_.files().link_info(at(above));
      while (!above.empty() && info.kind == FileKind::kMissing) {
        above = folder_of_path(above);
        info = git_.files().link_info(at(above));
      }
      const bool is_jobs = info.changed_ns <= extent_.until_ns ||
                           written_folders_.contains(above) || made_.contains(above);
      if (info.kind != FileKind::kFolder || !is_jobs) continue;
      if (!git_.files().make_folders(at(path))) continue;
      for (std::string made = path; made != above; made = folder_of_path(made)) made_.insert(made);
      ++changed_;
    }
  }

  // Removes empty folders that the shape lacks, inner ones first.
  void remove_folders() {
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      const bool is_known = shape_.empty_.contains(entry->path) || made_.contains(entry->path);
      if (entry->entries != 0 || is_known || !may_change(*entry)) continue;
      if (is_product(at(entry->path), git_.root()) || !remove_empty_folder(at(entry->path)))
        continue;
      const auto above = by_path_.find(folder_of_path(entry->path));
      if (above != by_path_.end()) --above->second->entries;
      written_folders_.insert(folder_of_path(entry->path));
      ++changed_;
    }
  }

  void link_files() {
    for (const std::vector<std::string>& paths : shape_.links_) {
      const auto first = by_path_.find(paths.front());
      if (first == by_path_.end() || first->second->kind != FileKind::kFile) continue;
      for (const std::string& path : paths) {
        const auto other = by_path_.find(path);
        if (other == by_path_.end() || other->second->kind != FileKind::kFile ||
            other->second->inode == first->second->inode ||
            !(may_change(*other->second) || may_change(*first->second)) ||
            !is_same(paths.front(), path)) {
          continue;
        }
        if (link_over(at(paths.front()), at(path))) ++changed_;
      }
    }
  }

  bool is_same(const std::string& a, const std::string& b) const {
    const auto one = git_.files().read(at(a), kMaxLinkedBytes);
    const auto other = git_.files().read(at(b), kMaxLinkedBytes);
    return one && other && *one == *other;
  }

  // Inner entries first: a folder's new mode may prevent access to them.
  void set_modes() {
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      if (!has_mode(*entry)) continue;
      const auto own = shape_.modes_.find(entry->path);
      const bool is_made = made_.contains(entry->path);
      const bool is_known = extent_.known.contains(entry->path) ||
                            known_folders_.contains(entry->path) || is_made ||
                            shape_.empty_.contains(entry->path);
      if (own == shape_.modes_.end() && !is_known) continue;
      if (!is_made && !may_change(*entry)) continue;
      const std::uint32_t mode = own == shape_.modes_.end() ? shape_.usual(*entry) : own->second;
      if (mode != entry->mode && set_mode(at(entry->path), mode)) ++changed_;
    }
  }

  const WorkTreeShape& shape_;
  const GitRunner& git_;
  const Extent& extent_;
  std::set<std::string> written_folders_;  // "": the root
  std::set<std::string> known_folders_;
  std::set<std::string> made_;
  std::vector<TreeEntry> entries_;
  std::map<std::string, TreeEntry*> by_path_;
  int changed_ = 0;
};

int WorkTreeShape::restore(const GitRunner& git, const Extent& extent) const {
  return usual_.folder == 0 ? 0 : Restoring(*this, git, extent).run();
}

}  // namespace pedro
