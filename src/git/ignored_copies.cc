#include "git/ignored_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "sys/scratch_folder.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxEntriesOfPath = 1000;
constexpr std::uint64_t kMaxCopyBytes = 16u << 20;
constexpr std::uint64_t kMaxCopiesBytes = 64u << 20;  // of all contents
constexpr std::uint64_t kMaxArchiveBytes = 2 * kMaxCopiesBytes;
constexpr int kMaxReplacedFolders = 1000;
constexpr std::string_view kKinds = "fld";  // file, link, folder

char letter_of(FileKind kind) {
  return kind == FileKind::kFile ? 'f' : kind == FileKind::kSymlink ? 'l' : 'd';
}

template <typename Number>
bool parse(std::string_view text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size();
}

// Returns the contents of a file or link.
Result<std::string> contents_of(const FileSystem& files, const std::string& place, FileKind kind) {
  if (kind == FileKind::kFile) return files.read(place, kMaxCopyBytes);
  if (kind == FileKind::kSymlink) return files.read_link(place);
  return std::string();
}

// Returns the entries to copy for a path; none if it is missing or too large.
std::vector<TreeEntry> entries_at(const FileSystem& files, const std::string& root,
                                  const std::string& path) {
  TreeEntry top;
  top.path = path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
  const FileInfo info = files.link_info(join_path(root, top.path));
  top.kind = info.kind;
  top.mode = info.mode;
  std::vector<TreeEntry> entries = {top};
  if (top.kind != FileKind::kFolder) return entries;
  std::size_t folders = 0;
  for (TreeEntry& entry : tree_entries(join_path(root, top.path), [&](const std::string&) {
         return ++folders < kMaxEntriesOfPath;
       })) {
    entry.path = top.path + "/" + entry.path;
    entries.push_back(std::move(entry));
  }
  return entries.size() > kMaxEntriesOfPath ? std::vector<TreeEntry>() : entries;
}

// Returns the total size of the files; nullopt if one is too large.
std::optional<std::uint64_t> bytes_of(const FileSystem& files, const std::string& root,
                                      const std::vector<TreeEntry>& entries) {
  std::uint64_t bytes = 0;
  for (const TreeEntry& entry : entries) {
    if (entry.kind != FileKind::kFile) continue;
    const FileInfo info = files.link_info(join_path(root, entry.path));
    if (info.bytes > kMaxCopyBytes) return std::nullopt;
    bytes += info.bytes;
  }
  return bytes;
}

// Returns true if each folder of `path` is a folder or missing.
bool has_clear_way(const FileSystem& files, const std::string& root, const std::string& path) {
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1)) {
    const FileKind kind = files.link_info(join_path(root, path.substr(0, at))).kind;
    if (kind == FileKind::kMissing) return true;
    if (kind != FileKind::kFolder) return false;
  }
  return true;
}

}  // namespace

struct IgnoredCopies::Copy {
  std::string path;
  FileKind kind = FileKind::kFile;
  std::uint32_t mode = 0;
  std::string contents;  // of a file; target of a link

  std::string name() const { return path + (kind == FileKind::kFolder ? "/" : ""); }
};

IgnoredCopies::IgnoredCopies(const Repository& repository, const std::string& job)
    : repository_(repository),
      files_(repository.files()),
      path_(join_path(repository.git().git_folder(), "pedrocli-" + job + ".ignored")),
      replaced_(join_path(repository.git().git_folder(), "pedrocli-" + job + ".replaced")) {}

Status IgnoredCopies::store() const {
  const std::string made = path_ + ".new";
  if (files_.link_info(made).kind != FileKind::kMissing) {
    PEDRO_RETURN_IF_ERROR(files_.remove(made));
  }
  std::uint64_t total = 0;
  for (const std::string& path : repository_.ignored()) {
    const std::vector<TreeEntry> entries = entries_at(files_, repository_.root(), path);
    const auto bytes = bytes_of(files_, repository_.root(), entries);
    if (!bytes || total + *bytes > kMaxCopiesBytes) continue;
    total += *bytes;
    PEDRO_RETURN_IF_ERROR(add(entries));
  }
  if (files_.link_info(made).kind == FileKind::kMissing) return remove();
  PEDRO_RETURN_IF_ERROR(files_.sync(made));
  return files_.rename(made, path_);
}

// Appends a header line and the contents of each entry. Omits unreadable ones.
Status IgnoredCopies::add(const std::vector<TreeEntry>& entries) const {
  for (const TreeEntry& entry : entries) {
    if (entry.kind == FileKind::kOther || entry.kind == FileKind::kMissing) continue;
    const auto contents =
        contents_of(files_, join_path(repository_.root(), entry.path), entry.kind);
    if (!contents) continue;
    const std::string header = fmt::format("{} {:o} {} {}\n", letter_of(entry.kind), entry.mode,
                                           contents->size(), quoted_path(entry.path));
    PEDRO_RETURN_IF_ERROR(files_.append(path_ + ".new", header + *contents + "\n"));
  }
  return {};
}

Result<std::vector<IgnoredCopies::Copy>> IgnoredCopies::read() const {
  std::vector<Copy> copies;
  if (files_.link_info(path_).kind == FileKind::kMissing) return copies;
  PEDRO_TRY(const std::string text, files_.read(path_, kMaxArchiveBytes));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view header = std::string_view(text).substr(at, end - at);
    const auto fields = split(header, ' ');
    Copy copy;
    std::size_t bytes = 0;
    const bool is_header = fields.size() >= 4 && fields[0].size() == 1 &&
                           kKinds.find(fields[0][0]) != kKinds.npos &&
                           parse(fields[1], copy.mode, 8) && parse(fields[2], bytes, 10);
    auto path = is_header ? unquoted_path(header.substr(
                                static_cast<std::size_t>(fields[3].data() - header.data())))
                          : std::nullopt;
    if (!path || bytes >= text.size() - end) {
      return usage_error(fmt::format("{}: byte {}: not a copy of an ignored file", path_, at));
    }
    copy.path = *std::move(path);
    copy.kind = fields[0] == "f"   ? FileKind::kFile
                : fields[0] == "l" ? FileKind::kSymlink
                                   : FileKind::kFolder;
    copy.contents = text.substr(end + 1, bytes);
    copies.push_back(std::move(copy));
    at = end + bytes + 2;
  }
  return copies;
}

Result<std::set<std::string>> IgnoredCopies::paths() const {
  PEDRO_TRY(const std::vector<Copy> copies, read());
  std::set<std::string> paths;
  for (const Copy& copy : copies) paths.insert(copy.name());
  return paths;
}

Result<IgnoredCopies::Restored> IgnoredCopies::restore(long long ended_ns) const {
  PEDRO_TRY(const std::vector<Copy> copies, read());
  Restored restored;
  std::string folder;  // the last restored one
  for (const Copy& copy : copies) {
    PEDRO_TRY(const bool is_restored, restore(copy, ended_ns, restored));
    if (!is_restored || (!folder.empty() && copy.path.starts_with(folder))) continue;
    restored.paths.push_back(copy.name());
    if (copy.kind == FileKind::kFolder) folder = copy.name();
  }
  return restored;
}

// Returns true if the entry was missing or changed, and is restored.
Result<bool> IgnoredCopies::restore(const Copy& copy, long long ended_ns,
                                    Restored& restored) const {
  const std::string& root = repository_.root();
  if (!has_clear_way(files_, root, copy.path)) return false;
  const std::string place = join_path(root, copy.path);
  const FileInfo now = files_.link_info(place);
  if (now.kind != FileKind::kMissing) {
    const bool is_same = now.kind == copy.kind && has_contents(place, copy);
    const bool has_mode = now.mode == copy.mode || now.kind == FileKind::kSymlink;
    if (now.changed_ns > ended_ns || (is_same && has_mode)) return false;
    if (is_same) {
      PEDRO_RETURN_IF_ERROR(set_mode(place, copy.mode));
      return true;
    }
    PEDRO_TRY(const bool is_kept, keep_replaced(place, copy.path, restored));
    if (!is_kept) return false;
  }
  if (copy.kind == FileKind::kFolder) {
    PEDRO_RETURN_IF_ERROR(files_.make_folders(place));
    PEDRO_RETURN_IF_ERROR(set_mode(place, copy.mode));
    return true;
  }
  PEDRO_RETURN_IF_ERROR(files_.make_folders(std::string(folder_name(place))));
  if (copy.kind == FileKind::kSymlink) {
    PEDRO_RETURN_IF_ERROR(make_symlink(copy.contents, place));
    return true;
  }
  PEDRO_RETURN_IF_ERROR(files_.write_atomic(place, copy.contents, copy.mode));
  PEDRO_RETURN_IF_ERROR(set_mode(place, copy.mode));
  return true;
}

bool IgnoredCopies::has_contents(const std::string& place, const Copy& copy) const {
  const auto contents = contents_of(files_, place, copy.kind);
  return contents && *contents == copy.contents;
}

// Moves an entry to a new folder of replaced files. Returns false if there are too many of these.
Result<bool> IgnoredCopies::keep_replaced(const std::string& place, const std::string& path,
                                          Restored& restored) const {
  for (int i = 1; restored.replaced.empty() && i <= kMaxReplacedFolders; ++i) {
    const std::string folder = fmt::format("{}-{}", replaced_, i);
    PEDRO_TRY(const bool is_new, files_.make_new_folder(folder, 0700));
    if (is_new) restored.replaced = folder;
  }
  if (restored.replaced.empty()) return false;
  const std::string kept = join_path(restored.replaced, path);
  PEDRO_RETURN_IF_ERROR(files_.make_folders(std::string(folder_name(kept)), 0700));
  PEDRO_RETURN_IF_ERROR(files_.rename(place, kept));
  return true;
}

Status IgnoredCopies::remove() const {
  for (const std::string& left : {path_, path_ + ".new"}) {
    if (files_.link_info(left).kind == FileKind::kMissing) continue;
    PEDRO_RETURN_IF_ERROR(files_.remove(left));
  }
  return {};
}

void IgnoredCopies::remove_replaced() const {
  for (int i = 1; i <= kMaxReplacedFolders; ++i) {
    const std::string folder = fmt::format("{}-{}", replaced_, i);
    if (files_.link_info(folder).kind == FileKind::kMissing) return;
    remove_tree(folder);
  }
}

}  // namespace pedro
