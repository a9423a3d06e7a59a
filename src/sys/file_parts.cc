#include "sys/file_parts.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <memory>
#include <utility>

namespace pedro {
namespace {

constexpr std::size_t kReadChunk = 64u << 10;

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kFile;
  if (S_ISDIR(mode)) return FileKind::kFolder;
  if (S_ISLNK(mode)) return FileKind::kSymlink;
  return FileKind::kOther;
}

FileKind kind_of_entry(DIR* folder, const dirent& entry) {
  switch (entry.d_type) {
    case DT_REG:
      return FileKind::kFile;
    case DT_DIR:
      return FileKind::kFolder;
    case DT_LNK:
      return FileKind::kSymlink;
    case DT_UNKNOWN: {  // some file systems do not report the type
      struct stat status {};
      if (::fstatat(::dirfd(folder), entry.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        return kind_of(status.st_mode);
      }
      return FileKind::kOther;
    }
    default:
      return FileKind::kOther;
  }
}

Error too_long(const std::string& path, std::uint64_t max_bytes) {
  return failure(path, fmt::format("Longer than the limit of {} bytes", max_bytes));
}

}  // namespace

Error failure(const std::string& path, std::string_view reason) {
  return Error{ErrorKind::kInternal, fmt::format("{}: {}", path, reason)};
}

Error failure(const std::string& path, int error) {
  return failure(path, errno_text(error));
}

FileInfo info_of(const struct stat& status) {
  FileInfo info;
  info.kind = kind_of(status.st_mode);
  info.bytes = static_cast<std::uint64_t>(status.st_size);
  info.mode = status.st_mode & 07777;
  info.modified_ns = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec;
  info.changed_ns = status.st_ctim.tv_sec * 1'000'000'000LL + status.st_ctim.tv_nsec;
  return info;
}

Status require_regular(const std::string& path, int fd, struct stat& status) {
  if (::fstat(fd, &status) != 0) return failure(path, errno);
  if (S_ISDIR(status.st_mode)) return failure(path, EISDIR);
  if (!S_ISREG(status.st_mode)) return failure(path, "Not a regular file");
  return {};
}

Result<std::string> read_regular(const std::string& path, int fd, std::uint64_t max_bytes) {
  struct stat status {};
  PEDRO_RETURN_IF_ERROR(require_regular(path, fd, status));
  const auto expected = static_cast<std::uint64_t>(status.st_size);
  if (expected > max_bytes) return too_long(path, max_bytes);

  // The size is a hint: the file may grow, and files in /proc report 0.
  std::string bytes(expected > 0 ? expected + 1 : kReadChunk, '\0');
  for (std::size_t used = 0;;) {
    if (used == bytes.size()) bytes.resize(used + kReadChunk);
    const long count = read_some(fd, bytes.data() + used, bytes.size() - used);
    if (count < 0) return failure(path, errno);
    used += static_cast<std::size_t>(count);
    if (used > max_bytes) return too_long(path, max_bytes);
    if (count == 0) {
      bytes.resize(used);
      return bytes;
    }
  }
}

Result<std::string> read_begin_of_regular(const std::string& path, int fd,
                                          std::uint64_t max_bytes) {
  struct stat status {};
  PEDRO_RETURN_IF_ERROR(require_regular(path, fd, status));
  std::string bytes;
  while (bytes.size() < max_bytes) {
    const std::size_t used = bytes.size();
    const auto part =
        static_cast<std::size_t>(std::min<std::uint64_t>(max_bytes - used, kReadChunk));
    bytes.resize(used + part);
    const long count = read_some(fd, bytes.data() + used, part);
    if (count < 0) return failure(path, errno);
    bytes.resize(used + static_cast<std::size_t>(count));
    if (count == 0) break;
  }
  return bytes;
}

Status append_regular(const std::string& path, int fd, std::string_view bytes) {
  struct stat status {};
  if (Status regular = require_regular(path, fd, status); !regular) return regular;
  const int error = write_all(fd, bytes);
  if (error != 0) return failure(path, error);
  return {};
}

Status sync_regular(const std::string& path, int fd) {
  struct stat status {};
  if (Status regular = require_regular(path, fd, status); !regular) return regular;
  const int error = sync_file(fd);
  return error == 0 ? Status() : Status(failure(path, error));
}

Status cut_regular(const std::string& path, int fd, std::uint64_t bytes) {
  struct stat status {};
  if (Status regular = require_regular(path, fd, status); !regular) return regular;
  if (static_cast<std::uint64_t>(status.st_size) < bytes) return failure(path, "shorter than that");
  return ::ftruncate(fd, static_cast<off_t>(bytes)) == 0 ? Status() : failure(path, errno);
}

Result<std::vector<FolderEntry>> list_folder(const std::string& path, Descriptor folder) {
  const Folder entries_of(::fdopendir(folder.get()), ::closedir);
  if (!entries_of) return failure(path, errno);
  (void)folder.release();
  std::vector<FolderEntry> entries;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(entries_of.get());
    if (entry == nullptr && errno != 0) return failure(path, errno);
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    entries.push_back({std::string(name), kind_of_entry(entries_of.get(), *entry)});
  }
  std::sort(entries.begin(), entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return entries;
}

Result<std::string> read_link_in(const std::string& path, int folder, const std::string& name) {
  char buffer[PATH_MAX];
  const ssize_t length = ::readlinkat(folder, name.c_str(), buffer, sizeof buffer);
  if (length < 0) return failure(path, errno);
  return std::string(buffer, static_cast<std::size_t>(length));
}

int sync_file(int fd) {
  while (::fsync(fd) != 0) {
    // Some file systems cannot sync; the rename is still atomic.
    if (errno == EINVAL || errno == EROFS) return 0;
    if (errno != EINTR) return errno;
  }
  return 0;
}

int sync_folder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.open()) return sync_file(folder.get());
  return errno == EACCES ? 0 : errno;
}

Result<Descriptor> open_or_make(const std::string& path, int flags) {
  const int all = flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
  Descriptor file(::open(path.c_str(), all));
  if (file.open()) return file;
  if (errno != ENOENT) return failure(path, errno);
  file.reset(::open(path.c_str(), all | O_CREAT, 0600));
  if (!file.open()) return failure(path, errno);
  const int error = sync_folder(std::string(folder_name(path)));
  if (error != 0) return failure(path, error);
  return file;
}

int copy_identity(int fd, const struct stat& old) {
  // Only root may change the owner; for other users, the file becomes theirs, as with other editors
  // that rename. Precedes fchmod(): a change of owner clears the set-user-id bit.
  if (old.st_uid != ::geteuid() || old.st_gid != ::getegid()) {
    if (::fchown(fd, old.st_uid, old.st_gid) != 0 && errno != EPERM) return errno;
  }
  return ::fchmod(fd, old.st_mode & 07777) == 0 ? 0 : errno;
}

}  // namespace pedro
