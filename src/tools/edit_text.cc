#include "tools/edit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/text.h"
#include "tools/count_of.h"

namespace pedro {
namespace {

// Replaces each "\r\n" by "\n".
std::string with_bare_newlines(std::string_view text) {
  return replace_all(text, "\r\n", "\n");
}

std::string with_line_ends(std::string_view text, std::string_view line_end) {
  const std::string bare = with_bare_newlines(text);
  return line_end == "\n" ? bare : replace_all(bare, "\n", line_end);
}

void drop_final_line_end(std::string& text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
}

// Maps offsets in a text without carriage returns to the original.
class BareText {
 public:
  explicit BareText(std::string_view text) : bytes_(with_bare_newlines(text)) {
    for (std::size_t at = text.find("\r\n"); at != std::string_view::npos;
         at = text.find("\r\n", at + 2)) {
      removed_.push_back(at - removed_.size());
    }
  }

  const std::string& bytes() const { return bytes_; }

  // Maps a position before a bare "\n" to the position before its "\r".
  std::size_t original(std::size_t bare) const {
    const auto before = std::lower_bound(removed_.begin(), removed_.end(), bare);
    return bare + static_cast<std::size_t>(before - removed_.begin());
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> removed_;  // bare offsets of removed "\r"
};

// Returns the lines of `before` between its common prefix and suffix with `after`.
LineRange changed_lines(const LineTable& before, const LineTable& after) {
  const std::size_t most = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < most && before.line(head + 1) == after.line(head + 1)) ++head;
  std::size_t tail = 0;
  while (head + tail < most &&
         before.line(before.size() - tail) == after.line(after.size() - tail)) {
    ++tail;
  }
  return {head + 1, before.size() - tail};
}

}  // namespace

Status fits(const LineTable& table, LineRange range) {
  const bool inside = range.first >= 1 && range.last <= table.size();
  if (inside && range.first <= range.last + 1) return {};
  const std::size_t wrong = range.first == 0 ? 0 : std::max(range.first, range.last);
  return Error{ErrorKind::kRefused, fmt::format("there is no line {}: the file has {}", wrong,
                                                count_of(table.size(), "line"))};
}

Status in_order(LineRange range) {
  if (!range.empty()) return {};
  return Error{ErrorKind::kRefused,
               fmt::format("start_line {} is after end_line {}", range.first, range.last)};
}

EditedText replace_lines(std::string_view text, LineRange range, std::string_view content) {
  const LineTable table(text);
  assert(fits(table, range));
  const std::string_view line_end = table.end_to_use_at(range.first);
  std::string out(text.substr(0, table.offset(range.first)));
  if (!out.empty() && !out.ends_with('\n') && !content.empty()) out += line_end;

  const std::string bare = with_bare_newlines(content);
  const std::vector<std::string_view> lines = split_lines(bare);
  for (const std::string_view line : lines) {
    out += line;
    out += line_end;
  }
  const std::string_view rest = text.substr(table.offset(range.last + 1));
  out += rest;
  if (rest.empty() && !text.empty() && !text.ends_with('\n')) drop_final_line_end(out);
  return {std::move(out), {range.first, range.first + lines.size() - 1}, range};
}

std::string replace_whole(std::string_view text, std::string_view content) {
  if (content.find("\r\n") != std::string_view::npos) return std::string(content);
  const LineTable before(text);
  const LineTable after(content);
  const LineRange changed = changed_lines(before, after);
  const std::size_t same_at_end = before.size() - changed.last;
  std::string out;
  for (std::size_t n = 1; n <= after.size(); ++n) {
    const bool is_at_end = n + same_at_end > after.size();
    out += after.line(n);
    if (after.end_of(n).empty()) continue;
    out += before.end_to_use_at(is_at_end ? n + before.size() - after.size()
                                          : std::min(n, changed.first));
  }
  return out;
}

std::vector<Occurrence> find_text(std::string_view text, std::string_view wanted) {
  assert(!wanted.empty());
  const BareText bare(text);
  const std::string needle = with_bare_newlines(wanted);
  std::vector<Occurrence> found;
  for (std::size_t at = bare.bytes().find(needle); at != std::string::npos;
       at = bare.bytes().find(needle, at + needle.size())) {
    const std::size_t begin = bare.original(at);
    found.push_back({begin, bare.original(at + needle.size()) - begin});
  }
  return found;
}

EditedText replace_occurrences(std::string_view text, const std::vector<Occurrence>& occurrences,
                               std::string_view replacement) {
  assert(!occurrences.empty());
  const LineTable table(text);
  std::string out;
  std::size_t copied = 0;
  std::size_t end = 0;
  for (const Occurrence& occurrence : occurrences) {
    out += text.substr(copied, occurrence.offset - copied);
    out += with_line_ends(replacement, table.end_to_use_at(table.line_at(occurrence.offset)));
    end = out.size();
    copied = occurrence.offset + occurrence.bytes;
  }
  out += text.substr(copied);
  const LineTable edited(out);
  const LineRange removed = changed_lines(table, edited);
  if (edited.size() == 0) return {std::move(out), {}, removed};
  const std::size_t first = occurrences.front().offset;
  // The last inserted byte, rather than the line after its line end.
  const LineRange lines{edited.line_at(first), edited.line_at(end > first ? end - 1 : end)};
  return {std::move(out), lines, removed};
}

}  // namespace pedro
