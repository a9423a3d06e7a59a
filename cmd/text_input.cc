#include "text_input.h"

#include "sys/terminal.h"

namespace pedro {

Result<TextInput> read_input(const FileSystem& files, const std::string& path,
                             std::uint64_t max_bytes) {
  const bool standard = path == "-";
  const bool stream = !standard && files.info(path).kind == FileKind::kOther;
  Result<std::string> text = standard ? read_standard_input(max_bytes)
                             : stream ? read_stream(path, max_bytes)
                                      : files.read(path, max_bytes);
  if (!text) return Error{ErrorKind::kUsage, text.error().message};
  return TextInput{standard ? "standard input" : path, std::move(*text)};
}

}  // namespace pedro
