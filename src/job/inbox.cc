#include "job/inbox.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

std::string path_in(std::string_view folder) {
  return join_path(folder, "inbox.jsonl");
}

}  // namespace

Inbox::Inbox(const FileSystem& files, std::string_view folder)
    : files_(files), path_(path_in(folder)) {}

Status Inbox::check(std::string_view text) {
  const std::size_t bytes = make_printable(trim(text)).size();
  if (bytes == 0) return Error{ErrorKind::kUsage, "the message is empty"};
  if (bytes <= kMaxTextBytes) return {};
  return Error{ErrorKind::kUsage,
               fmt::format("the message has {} bytes, but the limit is {}", bytes, kMaxTextBytes)};
}

Status Inbox::add(FileSystem& files, std::string_view folder, std::string_view text) {
  PEDRO_RETURN_IF_ERROR(check(text));
  const std::string clean = make_printable(trim(text));
  // A writer may have died inside its line. The new line begins on one of its own.
  const std::string line = "\n" + to_line({{"text", clean}}) + "\n";
  if (files.info(path_in(folder)).bytes + line.size() > kMaxBytes) {
    return Error{ErrorKind::kLimit, path_in(folder) + ": is full"};
  }
  PEDRO_RETURN_IF_ERROR(files.append(path_in(folder), line));
  return files.sync(path_in(folder));
}

Result<std::vector<std::string>> Inbox::take() {
  std::vector<std::string> texts;
  if (files_.info(path_).bytes <= taken_) return texts;
  PEDRO_TRY(const std::string all, files_.read(path_, kMaxBytes));
  const std::size_t end = all.rfind('\n');
  if (end == all.npos || end < taken_) return texts;
  const std::string_view added = std::string_view(all).substr(taken_, end - taken_);
  taken_ = end + 1;
  for (const std::string_view line : split_lines(added)) {
    const Result<Json> message = parse_json(line);
    if (message && !text_of(*message, "text").empty()) texts.push_back(text_of(*message, "text"));
  }
  return texts;
}

}  // namespace pedro
