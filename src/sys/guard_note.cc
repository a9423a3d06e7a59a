#include "sys/guard_note.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "base/json.h"
#include "sys/file_parts.h"
#include "sys/file_system.h"
#include "sys/plain_folder.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxNoteBytes = 1u << 20;
constexpr int kMaxNames = 1000;
constexpr std::string_view kNotePrefix = "note-";

/// "" where it is none.
std::string said_by_link(const std::string& path) {
  const auto text = RealFileSystem().read_link(path);
  return text ? *text : "";
}

/// Where `path` is now; nothing where it could not be moved.
std::optional<std::string> move_aside(const std::string& path, const std::string& folder) {
  const RealFileSystem files;
  for (const std::string& place :
       {join_path(folder, "left-" + std::string(base_name(path))), path + ".pedrocli-left"}) {
    for (int i = 1; i < kMaxNames; ++i) {
      const std::string target = i == 1 ? place : fmt::format("{}-{}", place, i);
      if (files.link_info(target).kind != FileKind::kMissing) continue;
      if (::rename(path.c_str(), target.c_str()) == 0) return target;
      break;  // another file system, or no rights
    }
  }
  return std::nullopt;
}

std::string put_right(const std::string& path, const std::string& link, const std::string& folder) {
  // Behind a link that a command has made on the way there is nothing of ours.
  const bool plain = open_plain_folder(std::string(folder_name(path))).open();
  const bool missing = !plain || RealFileSystem().link_info(path).kind == FileKind::kMissing;
  if (missing == link.empty() && (missing || said_by_link(path) == link)) return "";
  std::string moved;
  if (!missing) {
    const auto target = move_aside(path, folder);
    if (!target) {
      return fmt::format(
          "{} was made by a command that was interrupted, and must not be used: "
          "it could not be moved away",
          path);
    }
    moved =
        fmt::format("{} was made by a command that was interrupted; it is now {}", path, *target);
  }
  if (link.empty()) return moved;
  const bool done = plain && ::symlink(link.c_str(), path.c_str()) == 0;
  return fmt::format("{}{}{} was changed by a command that was interrupted; {}", moved,
                     moved.empty() ? "" : "; ", path,
                     done ? "the link is there again" : "the link could not be made again");
}

/// What is left of a process that died: nothing where it lives, or there was no command.
std::optional<Json> left_note(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.open() || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  const auto text = read_regular(path, file.get(), kMaxNoteBytes);
  // One that was cut was not whole when its command would have been started.
  const auto json = text ? parse_json(*text) : Result<Json>(text.error());
  return json && json->is_object() ? *json : Json::object();
}

}  // namespace

GuardNote::GuardNote(GuardNote&& other) noexcept
    : folder_(std::move(other.folder_)),
      path_(std::exchange(other.path_, "")),
      file_(std::move(other.file_)) {}

GuardNote& GuardNote::operator=(GuardNote&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  return *this;
}

GuardNote::~GuardNote() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

// Locked before it has its name: nobody can take it for a left one in between.
bool GuardNote::open_file() {
  if (file_.open()) return true;
  if (folder_.empty() || !RealFileSystem().make_folders(folder_, 0700)) return false;
  std::string fresh = join_path(folder_, "new-XXXXXX");
  file_.reset(::mkostemp(fresh.data(), O_CLOEXEC));
  if (!file_.open()) return false;
  const std::string path = join_path(
      folder_, std::string(kNotePrefix) + fresh.substr(fresh.size() - std::strlen("XXXXXX")));
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) == 0 && ::rename(fresh.c_str(), path.c_str()) == 0) {
    path_ = path;
    return true;
  }
  ::unlink(fresh.c_str());
  file_.reset();
  return false;
}

void GuardNote::begin(const std::map<std::string, std::string>& before) {
  if (before.empty() || !open_file()) return;
  Json json = Json::object();
  for (const auto& [path, link] : before) json[path] = link;
  const std::string text = to_line(json);
  (void)!::pwrite(file_.get(), text.data(), text.size(), 0);
}

void GuardNote::end() {
  if (file_.open()) (void)!::ftruncate(file_.get(), 0);
}

std::vector<std::string> undo_left_guards(const std::string& folder) {
  std::vector<std::string> said;
  const auto entries = RealFileSystem().list(folder);
  if (!entries) return said;
  for (const FolderEntry& entry : *entries) {
    if (!entry.name.starts_with(kNotePrefix)) continue;
    const std::string path = join_path(folder, entry.name);
    const std::optional<Json> note = left_note(path);
    if (!note) continue;
    for (const auto& [guarded, link] : note->items()) {
      if (!link.is_string()) continue;
      const std::string sentence = put_right(guarded, link.get<std::string>(), folder);
      if (!sentence.empty()) said.push_back(sentence);
    }
    ::unlink(path.c_str());
  }
  return said;
}

}  // namespace pedro
