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
#include "sys/file_parts.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

int open_file(const std::string& path, int flags, mode_t mode = 0) {
  for (;;) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode);
    if (fd >= 0 || errno != EINTR) return fd;
  }
}

/// Resolves the links of the last component of `path`. The final target may be missing.
Result<std::string> link_target(const std::string& path) {
  std::string target = path;
  for (int i = 0; i < kMaxLinks; ++i) {
    const Result<std::string> link = read_link_in(target, AT_FDCWD, target);
    if (!link) return target;  // not a link, or missing
    target = join_path(folder_name(target), *link);
  }
  return failure(path, ELOOP);
}

/// A temporary file in the folder of the file it replaces. Removes it unless it was renamed.
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

  /// Returns 0, or an errno value.
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
  // Without O_NONBLOCK, opening a pipe without a writer would block forever.
  const Descriptor fd(open_file(path, O_RDONLY | O_NONBLOCK));
  if (!fd.open()) return failure(path, errno);
  return read_regular(path, fd.get(), max_bytes);
}

Result<std::string> RealFileSystem::read_begin(const std::string& path,
                                               std::uint64_t max_bytes) const {
  const Descriptor fd(open_file(path, O_RDONLY | O_NONBLOCK));
  return fd.open() ? read_begin_of_regular(path, fd.get(), max_bytes) : failure(path, errno);
}

Status RealFileSystem::write_atomic(const std::string& path, std::string_view bytes,
                                    std::uint32_t mode) {
  PEDRO_TRY(std::string target, link_target(path));
  struct stat old {};
  const bool exists = ::lstat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return failure(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return failure(path, "Not a regular file");
  // A rename would succeed even if the old file is write-protected.
  if (exists && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) {
    return failure(path, errno);
  }

  TemporaryFile file(folder_name(target), exists ? 0600 : mode);
  int error = file.error();
  if (error == 0) error = write_all(file.fd(), bytes);
  if (error == 0 && exists) error = copy_identity(file.fd(), old);
  if (error == 0) error = sync_file(file.fd());
  if (error == 0) error = file.move_to(target);
  if (error == 0) error = sync_folder(std::string(folder_name(target)));
  if (error != 0) return failure(path, error);
  return {};
}

Status RealFileSystem::append(const std::string& path, std::string_view bytes) {
  const Result<Descriptor> fd = open_or_make(path, O_WRONLY | O_APPEND);
  return fd ? append_regular(path, fd->get(), bytes) : fd.error();
}

Status RealFileSystem::sync(const std::string& path) {
  const Descriptor fd(open_file(path, O_WRONLY | O_NONBLOCK));
  return fd.open() ? sync_regular(path, fd.get()) : failure(path, errno);
}

Status RealFileSystem::cut(const std::string& path, std::uint64_t bytes) {
  const Descriptor fd(open_file(path, O_WRONLY | O_NONBLOCK));
  return fd.open() ? cut_regular(path, fd.get(), bytes) : failure(path, errno);
}

Status RealFileSystem::make_folders(const std::string& path, std::uint32_t mode) {
  std::size_t end = 0;
  while (end < path.size()) {
    end = std::min(path.find('/', end + 1), path.size());
    const std::string prefix = path.substr(0, end);
    if (info(prefix).kind == FileKind::kFolder) continue;
    PEDRO_TRY(const bool made, make_new_folder(prefix, mode));
    // Another process may have created it; otherwise a file has this name.
    if (!made && info(prefix).kind != FileKind::kFolder) return failure(prefix, ENOTDIR);
  }
  return {};
}

Result<bool> RealFileSystem::make_new_folder(const std::string& path, std::uint32_t mode) {
  if (::mkdir(path.c_str(), mode) != 0) {
    if (errno == EEXIST) return false;
    return failure(path, errno);
  }
  const int error = sync_folder(std::string(folder_name(path)));
  if (error != 0) return failure(path, error);
  return true;
}

Result<bool> RealFileSystem::make_new_file(const std::string& path, std::string_view bytes,
                                           std::uint32_t mode) {
  const Descriptor file(open_file(path, O_WRONLY | O_CREAT | O_EXCL, mode));
  if (!file.open()) {
    if (errno == EEXIST) return false;
    return failure(path, errno);
  }
  int error = write_all(file.get(), bytes);
  if (error == 0) error = sync_file(file.get());
  if (error == 0) error = sync_folder(std::string(folder_name(path)));
  if (error != 0) return failure(path, error);
  return true;
}

Result<std::vector<FolderEntry>> RealFileSystem::list(const std::string& path) const {
  Descriptor folder(open_file(path, O_RDONLY | O_DIRECTORY));
  if (!folder.open()) return failure(path, errno);
  return list_folder(path, std::move(folder));
}

Status RealFileSystem::remove(const std::string& path) {
  if (::unlink(path.c_str()) != 0) return failure(path, errno);
  return {};
}

Status RealFileSystem::rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  const int error = errno;
  // The kernel does not report which path caused the error.
  const bool about_target = link_info(from).kind != FileKind::kMissing;
  return failure(about_target ? to : from, error);
}

Result<std::string> RealFileSystem::read_link(const std::string& path) const {
  return read_link_in(path, AT_FDCWD, path);
}

Result<std::string> RealFileSystem::canonical(const std::string& path) const {
  const std::unique_ptr<char, void (*)(void*)> resolved(::realpath(path.c_str(), nullptr), ::free);
  if (!resolved) return failure(path, errno);
  return std::string(resolved.get());
}

bool RealFileSystem::can_write(const std::string& folder) const {
  return ::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0;
}

Status RealFileSystem::enter(const std::string& folder) {
  if (::chdir(folder.c_str()) != 0) return failure(folder, errno);
  return {};
}

}  // namespace pedro
