#include "edited_output.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxEditedBytes = 1u << 20;

std::string edited_path(const std::string& folder) {
  return join_path(folder, "edited.json");
}

}  // namespace

Result<Json> edited_output(const FileSystem& files, const std::string& folder,
                           const std::string& phase) {
  const std::string path = edited_path(folder);
  if (phase.empty() || files.info(path).kind == FileKind::kMissing) return Json();
  PEDRO_TRY(const std::string text, files.read(path, kMaxEditedBytes));
  const Result<Json> edited = parse_json(text);
  if (!edited) return edited.error().at(path);
  return text_of(*edited, "phase") == phase ? member(*edited, "output") : Json();
}

Status edit_output(FileSystem& files, const std::string& folder, const std::string& phase,
                   const Json& output) {
  return files.write_atomic(edited_path(folder),
                            to_line({{"phase", phase}, {"output", output}}) + "\n", 0600);
}

}  // namespace pedro
