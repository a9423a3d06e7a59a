#include "sys/read_parts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "sys/descriptor.h"

namespace pedro {
namespace {

constexpr std::size_t kPartBytes = std::size_t{1} << 20;

}  // namespace

Status read_parts(const std::string& path, const CancelToken& cancel,
                  const std::function<Status(std::string_view part)>& take) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const auto failed = [&](const std::string& why) {
    return Error{ErrorKind::kUsage, name + ": " + why};
  };
  Descriptor opened;
  if (!standard) {
    opened.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!opened.open() || ::fstat(opened.get(), &status) != 0) return failed(errno_text(errno));
    if (S_ISDIR(status.st_mode)) return failed("is a folder");
  }
  const int file = standard ? STDIN_FILENO : opened.get();
  std::string buffer(kPartBytes, '\0');
  for (;;) {
    if (cancel.cancelled()) return Error{ErrorKind::kInterrupted, ""};
    const long got = ::read(file, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed(errno_text(errno));
    if (got == 0) return {};
    const Status status = take(std::string_view(buffer).substr(0, static_cast<std::size_t>(got)));
    if (!status) return status.error();
  }
}

}  // namespace pedro
