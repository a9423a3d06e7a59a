#include "sys/read_parts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "sys/descriptor.h"
#include "sys/interrupted.h"

namespace pedro {
namespace {

constexpr std::size_t kReadPartBytes = std::size_t{1} << 20;

Error read_failure(const std::string& path, std::string_view why) {
  return Error{ErrorKind::kUsage,
               fmt::format("{}: {}", path == "-" ? "standard input" : path, why)};
}

}  // namespace

Status read_parts(const std::string& path, const CancelToken& cancel,
                  const std::function<Status(std::string_view part)>& take) {
  const bool standard = path == "-";
  Descriptor opened;
  if (!standard) {
    do {  // opening a pipe waits for its writer
      if (cancel.cancelled()) return interrupted(cancel);
      opened.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    } while (!opened.open() && errno == EINTR);
    struct stat status {};
    if (!opened.open() || ::fstat(opened.get(), &status) != 0)
      return read_failure(path, errno_text(errno));
    if (S_ISDIR(status.st_mode)) return read_failure(path, "is a folder");
  }
  const int file = standard ? STDIN_FILENO : opened.get();
  std::string buffer(kReadPartBytes, '\0');
  for (;;) {
    if (cancel.cancelled()) return interrupted(cancel);
    const long got = ::read(file, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return read_failure(path, errno_text(errno));
    if (got == 0) return {};
    PEDRO_RETURN_IF_ERROR(take(std::string_view(buffer).substr(0, static_cast<std::size_t>(got))));
  }
}

Result<std::string> read_stream(const std::string& path, std::size_t max_bytes,
                                const CancelToken& cancel) {
  std::string text;
  PEDRO_RETURN_IF_ERROR(read_parts(path, cancel, [&](std::string_view part) {
    text += part;
    if (text.size() <= max_bytes) return Status();
    return Status(read_failure(path, fmt::format("more than the limit of {} bytes", max_bytes)));
  }));
  return text;
}

}  // namespace pedro
