#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "sys/descriptor.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr int kMaxLinks = 40;            // what the kernel follows in one path
constexpr int kMaxTemporaryNames = 256;  // left by as many crashes of processes with our id
constexpr std::size_t kReadChunk = 64u << 10;

Error failure(const std::string& path, std::string_view reason) {
  return Error{ErrorKind::kInternal, fmt::format("{}: {}", path, reason)};
}

Error failure(const std::string& path, int error) {
  return failure(path, errno_text(error));
}

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kFile;
  if (S_ISDIR(mode)) return FileKind::kFolder;
  if (S_ISLNK(mode)) return FileKind::kSymlink;
  return FileKind::kOther;
}

FileInfo info_of(const struct stat& status) {
  FileInfo info;
  info.kind = kind_of(status.st_mode);
  info.bytes = static_cast<std::uint64_t>(status.st_size);
  info.mode = status.st_mode & 07777;
  info.modified_ns = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec;
  return info;
}

int open_file(const std::string& path, int flags, mode_t mode = 0) {
  for (;;) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode);
    if (fd >= 0 || errno != EINTR) return fd;
  }
}

/// An error where `fd` is anything but a regular file.
Status require_regular(const std::string& path, int fd, struct stat& status) {
  if (::fstat(fd, &status) != 0) return failure(path, errno);
  if (S_ISDIR(status.st_mode)) return failure(path, EISDIR);
  if (!S_ISREG(status.st_mode)) return failure(path, "Not a regular file");
  return {};
}

Error too_long(const std::string& path, std::uint64_t max_bytes) {
  return failure(path, fmt::format("Longer than the {} bytes that are read", max_bytes));
}

/// Where the bytes of `path` really go: links followed, the last of them may lead to nothing.
Result<std::string> link_target(const std::string& path) {
  std::string target = path;
  for (int i = 0; i < kMaxLinks; ++i) {
    char buffer[PATH_MAX];
    const ssize_t length = ::readlink(target.c_str(), buffer, sizeof buffer);
    if (length < 0) return target;  // no link, or nothing there
    const std::string_view link(buffer, static_cast<std::size_t>(length));
    target = join_path(folder_name(target), link);
  }
  return failure(path, ELOOP);
}

/// A new file beside the one it will replace; removed again unless it was renamed.
class TemporaryFile {
 public:
  /// `mode` is subject to the umask, as with any new file.
  explicit TemporaryFile(std::string_view folder, mode_t mode) {
    for (int i = 0; i < kMaxTemporaryNames && !fd_.open(); ++i) {
      path_ = join_path(folder, fmt::format(".pedrocli-{}-{}.tmp", ::getpid(), i));
      fd_.reset(open_file(path_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
      error_ = fd_.open() ? 0 : errno;
      if (error_ != 0 && error_ != EEXIST) return;
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (fd_.open()) ::unlink(path_.c_str());
  }

  int error() const { return error_; }
  int fd() const { return fd_.get(); }

  /// 0, or the value of errno.
  int move_to(const std::string& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return errno;
    fd_.reset();
    return 0;
  }

 private:
  std::string path_;
  Descriptor fd_;
  int error_ = 0;
};

int sync_file(int fd) {
  while (::fsync(fd) != 0) {
    // Some file systems cannot sync; the rename is still all or nothing.
    if (errno == EINVAL || errno == EROFS) return 0;
    if (errno != EINTR) return errno;
  }
  return 0;
}

/// Gives the new file the owner and the mode of the one it replaces.
int copy_identity(int fd, const struct stat& old) {
  // Only root may; for others the file becomes theirs, as with every editor that renames. Before
  // the mode, since a change of owner clears the set-user-id bit.
  if (old.st_uid != ::geteuid() || old.st_gid != ::getegid()) {
    if (::fchown(fd, old.st_uid, old.st_gid) != 0 && errno != EPERM) return errno;
  }
  return ::fchmod(fd, old.st_mode & 07777) == 0 ? 0 : errno;
}

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;

FileKind kind_of_entry(DIR* folder, const dirent& entry) {
  switch (entry.d_type) {
    case DT_REG:
      return FileKind::kFile;
    case DT_DIR:
      return FileKind::kFolder;
    case DT_LNK:
      return FileKind::kSymlink;
    case DT_UNKNOWN: {  // some file systems do not say
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

}  // namespace

FileInfo RealFileSystem::info(const std::string& path) const {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? info_of(status) : FileInfo{};
}

FileInfo RealFileSystem::link_info(const std::string& path) const {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? info_of(status) : FileInfo{};
}

Result<std::string> RealFileSystem::read(const std::string& path, std::uint64_t max_bytes) const {
  // Without O_NONBLOCK, opening a pipe nobody writes to would never return.
  const Descriptor fd(open_file(path, O_RDONLY | O_NONBLOCK));
  if (!fd.open()) return failure(path, errno);
  struct stat status {};
  if (Status regular = require_regular(path, fd.get(), status); !regular) return regular.error();
  const auto expected = static_cast<std::uint64_t>(status.st_size);
  if (expected > max_bytes) return too_long(path, max_bytes);

  // The size is a hint: the file may grow, and those of /proc say 0.
  std::string bytes(expected > 0 ? expected + 1 : kReadChunk, '\0');
  for (std::size_t used = 0;;) {
    if (used == bytes.size()) bytes.resize(used + kReadChunk);
    const long count = read_some(fd.get(), bytes.data() + used, bytes.size() - used);
    if (count < 0) return failure(path, errno);
    used += static_cast<std::size_t>(count);
    if (used > max_bytes) return too_long(path, max_bytes);
    if (count == 0) {
      bytes.resize(used);
      return bytes;
    }
  }
}

Status RealFileSystem::write_atomic(const std::string& path, std::string_view bytes,
                                    std::uint32_t mode) {
  Result<std::string> target = link_target(path);
  if (!target) return target.error();
  struct stat old {};
  const bool exists = ::lstat(target->c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return failure(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return failure(path, "Not a regular file");
  // The rename would also succeed on a file that is write-protected.
  if (exists && ::faccessat(AT_FDCWD, target->c_str(), W_OK, AT_EACCESS) != 0) {
    return failure(path, errno);
  }

  TemporaryFile file(folder_name(*target), exists ? 0600 : mode);
  int error = file.error();
  if (error == 0) error = write_all(file.fd(), bytes);
  if (error == 0 && exists) error = copy_identity(file.fd(), old);
  if (error == 0) error = sync_file(file.fd());
  if (error == 0) error = file.move_to(*target);
  if (error != 0) return failure(path, error);
  return {};
}

Status RealFileSystem::append(const std::string& path, std::string_view bytes) {
  const Descriptor fd(open_file(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0600));
  if (!fd.open()) return failure(path, errno);
  struct stat status {};
  if (Status regular = require_regular(path, fd.get(), status); !regular) return regular;
  const int error = write_all(fd.get(), bytes);
  if (error != 0) return failure(path, error);
  return {};
}

Status RealFileSystem::make_folders(const std::string& path, std::uint32_t mode) {
  std::size_t end = 0;
  while (end < path.size()) {
    end = std::min(path.find('/', end + 1), path.size());
    const std::string prefix = path.substr(0, end);
    if (info(prefix).kind == FileKind::kFolder) continue;
    if (::mkdir(prefix.c_str(), mode) == 0) continue;
    const int error = errno;
    if (error != EEXIST) return failure(prefix, error);
    // Somebody else may have made it meanwhile; a file is in the way otherwise.
    if (info(prefix).kind != FileKind::kFolder) return failure(prefix, ENOTDIR);
  }
  return {};
}

Result<std::vector<FolderEntry>> RealFileSystem::list(const std::string& path) const {
  const Folder folder(::opendir(path.c_str()), ::closedir);
  if (!folder) return failure(path, errno);
  std::vector<FolderEntry> entries;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(folder.get());
    if (entry == nullptr && errno != 0) return failure(path, errno);
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    entries.push_back({std::string(name), kind_of_entry(folder.get(), *entry)});
  }
  std::sort(entries.begin(), entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return entries;
}

Status RealFileSystem::remove(const std::string& path) {
  if (::unlink(path.c_str()) != 0) return failure(path, errno);
  return {};
}

Status RealFileSystem::rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  const int error = errno;
  // The kernel does not say which of the two it means.
  const bool about_target = link_info(from).kind != FileKind::kMissing;
  return failure(about_target ? to : from, error);
}

Result<std::string> RealFileSystem::canonical(const std::string& path) const {
  const std::unique_ptr<char, void (*)(void*)> resolved(::realpath(path.c_str(), nullptr), ::free);
  if (!resolved) return failure(path, errno);
  return std::string(resolved.get());
}

}  // namespace pedro
