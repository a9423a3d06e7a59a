#include "sys/confined_file_system.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <optional>

#include "base/text.h"
#include "sys/descriptor.h"
#include "sys/file_parts.h"
#include "sys/work_tree.h"

namespace pedro {
namespace {

constexpr int kMaxTries = 64;  // of openat2, if other processes rename folders at the same time

int call_openat2(int folder, const std::string& path, int flags) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  int error = 0;
  for (int i = 0; i < kMaxTries; ++i) {
    const long fd = ::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
    if (fd >= 0) return static_cast<int>(fd);
    error = errno;
    if (error != EAGAIN && error != EINTR) break;
  }
  errno = error;
  return -1;
}

bool kernel_resolves(int folder) {
  const Descriptor probe(call_openat2(folder, ".", O_PATH));
  return probe.open();
}

/// The same without following links, for kernels without openat2.
int open_by_components(int folder, const std::string& path, int flags) {
  Descriptor here;
  const std::vector<std::string_view> names = split(path, '/');
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool last = i + 1 == names.size();
    const std::string name(names[i]);
    if (name == "..") {
      errno = EXDEV;
      return -1;
    }
    const int how = last ? flags : O_PATH | O_DIRECTORY;
    const int from = here.open() ? here.get() : folder;
    Descriptor next(::openat(from, name.c_str(), how | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!next.open() || ::fstat(next.get(), &status) != 0) return -1;
    if (S_ISLNK(status.st_mode)) {
      errno = ELOOP;
      return -1;
    }
    here = std::move(next);
  }
  return here.release();
}

/// Returns the current path of an open file, "" if the system does not report it.
std::string path_of(int fd) {
  char buffer[PATH_MAX];
  const std::string link = fmt::format("/proc/self/fd/{}", fd);
  const ssize_t length = ::readlink(link.c_str(), buffer, sizeof buffer);
  return length < 0 ? "" : std::string(buffer, static_cast<std::size_t>(length));
}

std::optional<std::string> relative_to(const std::string& root, const std::string& path) {
  const std::string normal = normal_path(path);
  if (normal == root) return ".";
  const std::string front = root == "/" ? root : root + "/";
  if (!normal.starts_with(front)) return std::nullopt;
  return normal.substr(front.size());
}

std::string name_in(const std::string& path) {
  return std::string(base_name(normal_path(path)));
}

}  // namespace

/// The open root folder, and the functions that open paths below it.
class ConfinedFileSystem::Root {
 public:
  Root(Descriptor fd, std::string path, bool by_kernel)
      : fd_(std::move(fd)), path_(std::move(path)), by_kernel_(by_kernel) {}

  Error outside(const std::string& path) const {
    return failure(path, fmt::format("outside of {}", path_));
  }

  /// Opens the target of `path`. Links that stay inside are followed.
  Result<Descriptor> open(const std::string& path, int flags) const {
    auto relative = relative_to(path_, path);
    if (!relative) return outside(path);
    Descriptor fd(open_relative(*relative, flags));
    if (!fd.open() && (errno == EXDEV || errno == ELOOP || errno == ENOTDIR)) {
      // A link with an absolute target may lead inside. Without openat2, no link was followed.
      const int error = errno;
      const auto real = RealFileSystem().canonical(path);
      relative = real ? relative_to(path_, *real) : std::nullopt;
      if (real && !relative) return outside(path);
      if (!relative) return failure(path, error);
      fd.reset(open_relative(*relative, flags));
    }
    if (!fd.open() && errno == EXDEV) return outside(path);
    if (!fd.open()) return failure(path, errno);
    return fd;
  }

  /// Opens a path to read or change it. Also fails inside .git, or if the file has moved outside.
  Result<Descriptor> open_for_use(const std::string& path, int flags) const {
    PEDRO_TRY(Descriptor fd, open(path, flags));
    const std::string now = path_of(fd.get());
    if (now.empty()) return fd;
    const auto relative = relative_to(path_, now);
    if (!relative) return outside(path);
    for (const std::string_view name : split(*relative, '/')) {
      if (to_lower(name) == ".git") return failure(path, "belongs to git");
    }
    return fd;
  }

  /// Opens the parent folder of `path`, to change an entry there.
  Result<Descriptor> open_folder_of(const std::string& path) const {
    const auto relative = relative_to(path_, path);
    if (!relative) return outside(path);
    if (*relative == ".") return failure(path, EISDIR);
    if (to_lower(base_name(path)) == ".git") return failure(path, "belongs to git");
    Result<Descriptor> folder =
        open_for_use(std::string(folder_name(normal_path(path))), O_PATH | O_DIRECTORY);
    if (!folder) return Error{folder.error().kind, folder.error().message};
    const auto where = relative_to(path_, path_of(folder->get()));
    if (where && is_own_settings(*where == "." ? name_in(path) : *where)) {
      return failure(path, "may only be changed by the user");
    }
    return folder;
  }

  /// Opens a file for writing. Fails for links. `more` are additional flags of open(2).
  Result<Descriptor> open_to_write(const std::string& path, int more) const {
    PEDRO_TRY(const Descriptor folder, open_folder_of(path));
    Descriptor fd(::openat(folder.get(), name_in(path).c_str(),
                           O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | more, 0600));
    if (!fd.open()) return failure(path, errno);
    return fd;
  }

 private:
  int open_relative(const std::string& relative, int flags) const {
    const int all = flags | O_NOCTTY;
    return by_kernel_ ? call_openat2(fd_.get(), relative, (flags & O_PATH) != 0 ? flags : all)
                      : open_by_components(fd_.get(), relative, all);
  }

  Descriptor fd_;
  std::string path_;
  bool by_kernel_;
};

namespace {

/// A temporary file in an open folder. Removes it unless it was renamed.
class NewFile {
 public:
  NewFile(int folder, mode_t mode) : folder_(folder) {
    for (int i = 0; i < kMaxTemporaryNames && !fd_.open(); ++i) {
      name_ = fmt::format(".pedrocli-{}-{}.tmp", ::getpid(), i);
      fd_.reset(::openat(folder_, name_.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
      error_ = fd_.open() ? 0 : errno;
      if (error_ != 0 && error_ != EEXIST) return;
    }
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (fd_.open()) ::unlinkat(folder_, name_.c_str(), 0);
  }

  int error() const { return error_; }
  int fd() const { return fd_.get(); }
  int move_to(const std::string& name) {
    if (::renameat(folder_, name_.c_str(), folder_, name.c_str()) != 0) return errno;
    fd_.reset();
    return 0;
  }

 private:
  int folder_;
  std::string name_;
  Descriptor fd_;
  int error_ = 0;
};

Status replace_in(int folder, const std::string& path, const struct stat* old,
                  std::string_view bytes, std::uint32_t mode) {
  const std::string name = name_in(path);
  if (old != nullptr && S_ISDIR(old->st_mode)) return failure(path, EISDIR);
  if (old != nullptr && !S_ISREG(old->st_mode)) return failure(path, "Not a regular file");
  if (old != nullptr && ::faccessat(folder, name.c_str(), W_OK, AT_EACCESS) != 0) {
    return failure(path, errno);
  }
  NewFile file(folder, old != nullptr ? 0600 : mode);
  int error = file.error();
  if (error == 0) error = write_all(file.fd(), bytes);
  if (error == 0 && old != nullptr) error = copy_identity(file.fd(), *old);
  if (error == 0) error = sync_file(file.fd());
  if (error == 0) error = file.move_to(name);
  if (error != 0) return failure(path, error);
  return {};
}

}  // namespace

ConfinedFileSystem::ConfinedFileSystem(std::unique_ptr<Root> root) : root_(std::move(root)) {}
ConfinedFileSystem::~ConfinedFileSystem() = default;

Result<std::unique_ptr<ConfinedFileSystem>> ConfinedFileSystem::open(const std::string& root,
                                                                     Resolver resolver) {
  PEDRO_TRY(const std::string canonical, RealFileSystem().canonical(root));
  Descriptor fd(::open(canonical.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!fd.open()) return failure(root, errno);
  const bool by_kernel = resolver == Resolver::kBest && kernel_resolves(fd.get());
  auto opened = std::make_unique<Root>(std::move(fd), canonical, by_kernel);
  return std::unique_ptr<ConfinedFileSystem>(new ConfinedFileSystem(std::move(opened)));
}

FileInfo ConfinedFileSystem::info(const std::string& path) const {
  const Result<Descriptor> fd = root_->open(path, O_PATH);
  struct stat status {};
  return fd && ::fstat(fd->get(), &status) == 0 ? info_of(status) : FileInfo{};
}

FileInfo ConfinedFileSystem::link_info(const std::string& path) const {
  const Result<Descriptor> folder =
      root_->open(std::string(folder_name(normal_path(path))), O_PATH | O_DIRECTORY);
  if (!folder) return info(path);  // the root itself, or missing
  struct stat status {};
  const bool found =
      ::fstatat(folder->get(), name_in(path).c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  return found ? info_of(status) : FileInfo{};
}

Result<std::string> ConfinedFileSystem::read(const std::string& path,
                                             std::uint64_t max_bytes) const {
  PEDRO_TRY(const Descriptor fd, root_->open_for_use(path, O_RDONLY | O_NONBLOCK));
  return read_regular(path, fd.get(), max_bytes);
}

Result<std::string> ConfinedFileSystem::read_begin(const std::string& path,
                                                   std::uint64_t max_bytes) const {
  const Result<Descriptor> fd = root_->open_for_use(path, O_RDONLY | O_NONBLOCK);
  return fd ? read_begin_of_regular(path, fd->get(), max_bytes) : fd.error();
}

// Reports a change, also an incomplete one.
Status ConfinedFileSystem::heard(Status done) const {
  if (on_change_) on_change_();
  return done;
}

Status ConfinedFileSystem::write_atomic(const std::string& path, std::string_view bytes,
                                        std::uint32_t mode) {
  std::string target = path;
  for (int i = 0; i < kMaxLinks; ++i) {
    PEDRO_TRY(const Descriptor folder, root_->open_folder_of(target));
    const std::string name = name_in(target);
    struct stat old {};
    const bool exists = ::fstatat(folder.get(), name.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
    if (!exists || !S_ISLNK(old.st_mode)) {
      return heard(replace_in(folder.get(), target, exists ? &old : nullptr, bytes, mode));
    }
    PEDRO_TRY(const std::string link, read_link_in(path, folder.get(), name));
    const std::string there = path_of(folder.get());
    target = normal_path(join_path(there.empty() ? std::string(folder_name(target)) : there, link));
  }
  return failure(path, ELOOP);
}

Status ConfinedFileSystem::append(const std::string& path, std::string_view bytes) {
  const Result<Descriptor> fd = root_->open_to_write(path, O_APPEND | O_CREAT);
  return fd ? heard(append_regular(path, fd->get(), bytes)) : fd.error();
}

Status ConfinedFileSystem::sync(const std::string& path) {
  const Result<Descriptor> fd = root_->open_to_write(path, 0);
  return fd ? sync_regular(path, fd->get()) : fd.error();
}

Status ConfinedFileSystem::cut(const std::string& path, std::uint64_t bytes) {
  const Result<Descriptor> fd = root_->open_to_write(path, 0);
  return fd ? heard(cut_regular(path, fd->get(), bytes)) : fd.error();
}

Status ConfinedFileSystem::make_folders(const std::string& path, std::uint32_t mode) {
  const std::string normal = normal_path(path);
  for (std::size_t end = 0; end < normal.size();) {
    end = std::min(normal.find('/', end + 1), normal.size());
    const std::string prefix = normal.substr(0, end);
    const Result<Descriptor> folder = root_->open_folder_of(prefix);
    if (!folder) {  // a folder above the root, or the root
      if (end == normal.size() && info(prefix).kind != FileKind::kFolder) return folder.error();
      continue;
    }
    if (::mkdirat(folder->get(), name_in(prefix).c_str(), mode) == 0) continue;
    const int error = errno;
    if (info(prefix).kind == FileKind::kFolder) continue;
    return failure(prefix, error == EEXIST ? ENOTDIR : error);
  }
  return {};
}

Result<bool> ConfinedFileSystem::make_new_folder(const std::string& path, std::uint32_t mode) {
  PEDRO_TRY(const Descriptor folder, root_->open_folder_of(path));
  if (::mkdirat(folder.get(), name_in(path).c_str(), mode) == 0) return true;
  if (errno == EEXIST) return false;
  return failure(path, errno);
}

Result<std::vector<FolderEntry>> ConfinedFileSystem::list(const std::string& path) const {
  PEDRO_TRY(Descriptor folder, root_->open_for_use(path, O_RDONLY | O_DIRECTORY));
  return list_folder(path, std::move(folder));
}

Status ConfinedFileSystem::remove(const std::string& path) {
  PEDRO_TRY(const Descriptor folder, root_->open_folder_of(path));
  if (::unlinkat(folder.get(), name_in(path).c_str(), 0) != 0) return failure(path, errno);
  return heard({});
}

Status ConfinedFileSystem::rename(const std::string& from, const std::string& to) {
  PEDRO_TRY(const Descriptor old_folder, root_->open_folder_of(from));
  PEDRO_TRY(const Descriptor new_folder, root_->open_folder_of(to));
  const int result =
      ::renameat(old_folder.get(), name_in(from).c_str(), new_folder.get(), name_in(to).c_str());
  if (result == 0) return heard({});
  const int error = errno;
  return failure(link_info(from).kind == FileKind::kMissing ? from : to, error);
}

Result<std::string> ConfinedFileSystem::read_link(const std::string& path) const {
  const Result<Descriptor> folder = root_->open_folder_of(path);
  return folder ? read_link_in(path, folder->get(), name_in(path)) : folder.error();
}

Result<std::string> ConfinedFileSystem::canonical(const std::string& path) const {
  return RealFileSystem().canonical(path);
}

}  // namespace pedro
