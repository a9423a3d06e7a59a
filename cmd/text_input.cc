#include "text_input.h"

#include "sys/read_parts.h"

namespace pedro {

Result<TextInput> read_input(const CommandContext& context, const std::string& path,
                             std::uint64_t max_bytes) {
  const bool standard = path == "-";
  const bool stream = standard || context.files.info(path).kind == FileKind::kOther;
  Result<std::string> text =
      stream ? read_stream(path, max_bytes, context.cancel) : context.files.read(path, max_bytes);
  if (!text) {
    const bool stopped = text.error().kind == ErrorKind::kInterrupted;
    return Error{stopped ? ErrorKind::kInterrupted : ErrorKind::kUsage, text.error().message};
  }
  return TextInput{standard ? "standard input" : path, std::move(*text)};
}

}  // namespace pedro
