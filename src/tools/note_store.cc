#include "tools/note_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxNoteNameBytes = 64;
constexpr std::uint64_t kMaxKeptBytes = 64u << 20;
constexpr std::string_view kSpillPrefix = "out-";

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

}  // namespace

Status NoteStore::keep(const std::string& id, std::string_view text) {
  // Private: outputs may contain confidential data.
  Status kept = files_->make_folders(folder_, 0700);
  if (kept) kept = files_->write_atomic(join_path(folder_, id + ".txt"), text, 0600);
  if (!kept) return kept;
  add(id);
  new_.push_back({id, id.starts_with(kSpillPrefix) ? "" : std::string(text)});
  return {};
}

void NoteStore::add(const std::string& id) {
  if (std::find(ids_.begin(), ids_.end(), id) == ids_.end()) ids_.push_back(id);
}

Status NoteStore::restore(const Kept& kept) {
  if (!kept.id.starts_with(kSpillPrefix)) return note(kept.id, kept.text);
  int number = 0;
  const char* digits = kept.id.data() + kSpillPrefix.size();
  const auto [end, error] = std::from_chars(digits, kept.id.data() + kept.id.size(), number);
  if (error != std::errc() || end != kept.id.data() + kept.id.size()) {
    return refusal(fmt::format("'{}' is not the id of an output", kept.id));
  }
  spilled_ = std::max(spilled_, number);
  add(kept.id);
  return {};
}

std::string kept_note(const std::string& id) {
  return "context recall returns it as " + id;
}

Result<std::string> NoteStore::spill(std::string_view text) {
  const std::string id = fmt::format("{}{}", kSpillPrefix, spilled_ + 1);
  PEDRO_RETURN_IF_ERROR(keep(id, text));
  ++spilled_;
  return id;
}

Status NoteStore::note(const std::string& name, std::string_view text) {
  const bool plain = std::all_of(name.begin(), name.end(), is_name_byte);
  if (name.empty() || name.size() > kMaxNoteNameBytes || !plain) {
    return refusal(fmt::format("'{}' is not a note's name: 1 to {} letters, digits, '_' or '-'",
                               name.substr(0, 2 * kMaxNoteNameBytes), kMaxNoteNameBytes));
  }
  if (name.starts_with(kSpillPrefix)) {
    return refusal(fmt::format("'{}': names that begin with '{}' are reserved for outputs", name,
                               kSpillPrefix));
  }
  return keep(name, text);
}

Result<std::string> NoteStore::recall(const std::string& id) const {
  if (std::find(ids_.begin(), ids_.end(), id) != ids_.end()) {
    return files_->read(join_path(folder_, id + ".txt"), kMaxKeptBytes);
  }
  if (ids_.empty()) return refusal(fmt::format("there is no '{}': nothing was kept yet", id));
  return refusal(fmt::format("there is no '{}'{}; there is: {}", id, did_you_mean(id, ids_),
                             join(ids_, ", ")));
}

}  // namespace pedro
