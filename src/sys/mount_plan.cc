#include "sys/mount_plan.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <set>

#include "sys/file_system.h"

// <sys/mount.h> and <linux/mount.h> cannot both be included on every system.
extern "C" int mount(const char*, const char*, const char*, unsigned long, const void*) noexcept;
extern "C" int umount2(const char*, int) noexcept;

namespace pedro {
namespace {

constexpr unsigned long kNoSetId = 2;             // MS_NOSUID
constexpr unsigned long kNoDevices = 4;           // MS_NODEV
constexpr unsigned long kNoPrograms = 8;          // MS_NOEXEC
constexpr unsigned long kBindMount = 4096;        // MS_BIND
constexpr unsigned long kRecursive = 16384;       // MS_REC
constexpr unsigned long kUnbindable = 1ul << 17;  // MS_UNBINDABLE
constexpr unsigned long kPrivate = 1ul << 18;     // MS_PRIVATE
constexpr int kDetach = 2;                        // MNT_DETACH
constexpr const char* kMemorySize = "mode=0755,size=64m";
constexpr const char* kSharedMemorySize = "mode=1777,size=512m";
constexpr std::array kDeviceNames = {"null", "zero", "full", "random", "urandom", "tty"};

int errno_of(int result) {
  return result == 0 ? 0 : errno;
}

/// Linux 5.12; the same for all mounts below, and none of them may be undone from inside.
int set_attributes(const char* path, std::uint64_t attributes) {
  mount_attr change{};
  change.attr_set = attributes;
  return errno_of(static_cast<int>(
      ::syscall(SYS_mount_setattr, AT_FDCWD, path, AT_RECURSIVE, &change, sizeof change)));
}

int make_folder(const char* path) {
  if (::mkdir(path, 0755) == 0 || errno == EEXIST || errno == EROFS) return 0;
  return errno;
}

int make_file(const char* path) {
  const int fd = ::open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd >= 0) ::close(fd);
  return fd >= 0 || errno == EROFS || errno == EACCES ? 0 : errno;
}

int make_link(const char* target, const char* path) {
  return ::symlink(target, path) == 0 || errno == EEXIST ? 0 : errno;
}

int bind(const char* from, const char* to, std::uint64_t attributes) {
  const int error = errno_of(::mount(from, to, nullptr, kBindMount | kRecursive, nullptr));
  return error == 0 ? set_attributes(to, attributes) : error;
}

}  // namespace

MountPlan::MountPlan(const SandboxView& view, std::string staging, bool own_proc_writes)
    : staging_(std::move(staging)) {
  actions_.push_back({Step::kMemory, kMemorySize, staging_});
  // Else what it lies in would show it a second time, as it is before it is finished.
  actions_.push_back({Step::kLeaveOut, "", staging_});
  for (const auto& [path, target] : view.links) add(Step::kLink, target, path);
  for (const char* folder : {"/tmp", "/var", "/run", "/proc", "/dev", "/home"}) {
    add(Step::kFolder, "", folder);
  }
  add_devices();  // before what the view has in them, such as a project in /dev/shm
  for (const auto& [folder, shown] : view.shown_as) {
    add_folders_above(shown);
    add(Step::kFolder, "", shown);
    add(Step::kBind, folder, shown);
  }
  // What lies above comes first, and nothing is hidden by what is mounted later.
  std::map<std::string, bool> writable;
  for (const std::string& path : view.read) writable.emplace(path, false);
  for (const std::string& path : view.write) writable[path] = true;
  // A mount of its own cannot be moved.
  for (const std::string& path : view.pinned) writable.emplace(path, true);
  for (const std::string& path : view.guarded) writable[path] = false;
  for (const auto& [path, can_write] : writable) add_path(path, can_write);
  const RealFileSystem files;
  for (const std::string& path : view.hidden) {
    const bool folder = files.info(path).kind == FileKind::kFolder;
    add(folder ? Step::kMemory : Step::kBindReadOnly, folder ? "mode=0755,size=0" : "/dev/null",
        path);
  }
  add(Step::kProcesses, "", "/proc");
  if (!own_proc_writes) add(Step::kReadOnlyAgain, "", "/proc");
}

void MountPlan::add(Step step, std::string from, const std::string& to) {
  actions_.push_back({step, std::move(from), staging_ + to});
}

void MountPlan::add_folders_above(const std::string& path) {
  for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
    add(Step::kFolder, "", path.substr(0, at));
  }
}

void MountPlan::add_path(const std::string& path, bool writable) {
  const FileKind kind = RealFileSystem().info(path).kind;
  if (kind == FileKind::kMissing) return;
  add_folders_above(path);
  add(kind == FileKind::kFolder ? Step::kFolder : Step::kFile, "", path);
  add(writable ? Step::kBind : Step::kBindReadOnly, path, path);
}

void MountPlan::add_devices() {
  add(Step::kMemory, kMemorySize, "/dev");
  for (const char* device : kDeviceNames) {
    const std::string path = join_path("/dev", device);
    add(Step::kFile, "", path);
    add(Step::kBindDevice, path, path);
  }
  for (const auto& [name, target] : {std::pair("fd", "/proc/self/fd"),
                                     {"stdin", "/proc/self/fd/0"},
                                     {"stdout", "/proc/self/fd/1"},
                                     {"stderr", "/proc/self/fd/2"},
                                     {"ptmx", "pts/ptmx"}}) {
    add(Step::kLink, target, join_path("/dev", name));
  }
  add(Step::kFolder, "", "/dev/shm");
  add(Step::kMemory, kSharedMemorySize, "/dev/shm");
  add(Step::kFolder, "", "/dev/pts");
  add(Step::kTerminals, "newinstance,ptmxmode=0666,mode=0620", "/dev/pts");
}

int MountPlan::perform(const Action& action) {
  const char* from = action.from.c_str();
  const char* to = action.to.c_str();
  switch (action.step) {
    case Step::kFolder:
      return make_folder(to);
    case Step::kFile:
      return make_file(to);
    case Step::kLink:
      return make_link(from, to);
    case Step::kBind:
      return bind(from, to, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
    case Step::kBindReadOnly:
      return bind(from, to, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
    case Step::kBindDevice:
      return errno_of(::mount(from, to, nullptr, kBindMount, nullptr));
    case Step::kMemory:
      return errno_of(::mount("tmpfs", to, "tmpfs", kNoSetId | kNoDevices, from));
    case Step::kLeaveOut:
      return errno_of(::mount(nullptr, to, nullptr, kUnbindable, nullptr));
    case Step::kReadOnlyAgain:
      return set_attributes(to, MOUNT_ATTR_RDONLY);
    case Step::kProcesses:
      return errno_of(::mount("proc", to, "proc", kNoSetId | kNoDevices | kNoPrograms, nullptr));
    case Step::kTerminals:
      return errno_of(::mount("devpts", to, "devpts", kNoSetId | kNoPrograms, from));
  }
  return EINVAL;
}

int MountPlan::carry_out(const char*& failed_at) const {
  // Nothing that is mounted from here on is seen outside, or the other way round.
  failed_at = "/";
  int error = errno_of(::mount(nullptr, "/", nullptr, kPrivate | kRecursive, nullptr));
  for (std::size_t i = 0; i < actions_.size() && error == 0; ++i) {
    failed_at = actions_[i].to.c_str();
    error = perform(actions_[i]);
  }
  if (error == 0) failed_at = staging_.c_str();
  // The new root takes the place of the old one, which is then below it and goes away
  // (pivot_root(2), "pivot_root(".", ".")").
  if (error == 0) error = errno_of(::chdir(staging_.c_str()));
  if (error == 0) error = errno_of(static_cast<int>(::syscall(SYS_pivot_root, ".", ".")));
  if (error == 0) error = errno_of(::umount2(".", kDetach));
  if (error == 0) error = errno_of(::chdir("/"));
  // Only the mounts that are meant to be written to are.
  if (error == 0) {
    mount_attr change{};
    change.attr_set = MOUNT_ATTR_RDONLY;
    error = errno_of(
        static_cast<int>(::syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &change, sizeof change)));
  }
  return error;
}

}  // namespace pedro
