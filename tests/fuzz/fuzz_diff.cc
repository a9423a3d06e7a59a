// Reads any bytes as a diff for a review, and as edits by a model. A diff must be rejected with a
// line number, or split into parts without losing lines. An edit must change only the named text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "fuzz/require.h"
#include "review/diff.h"
#include "tools/edit_text.h"

namespace {

using namespace pedro;

constexpr std::size_t kHeads = 16 * 1024;  // the size of the headers of a file and a hunk

// The line numbers by file on which a finding can be reported.
using Places = std::multiset<std::pair<std::string, int>>;

Places places_of(const std::vector<DiffFile>& files) {
  Places places;
  for (const DiffFile& file : files) {
    for (const DiffHunk& hunk : file.hunks) {
      for (const DiffLine& line : hunk.lines) {
        const bool told = file.deleted || line.kind != DiffLine::Kind::kRemoved;
        if (told) places.insert({file.path, line.number});
      }
    }
  }
  return places;
}

Places places_of(const DiffParts& parts) {
  Places places;
  for (const DiffPart& part : parts.parts) {
    for (const DiffPart::Lines& lines : part.lines) {
      for (const int number : lines.numbers) places.insert({lines.file, number});
    }
  }
  return places;
}

void check_diff(std::string_view text) {
  const auto files = parse_diff(text);
  if (!files) return require(files.error().kind == ErrorKind::kUsage, "another error", text);
  const Places all = places_of(*files);
  for (const std::size_t max_bytes : {1024, 64 * 1024}) {
    const DiffParts parts = cut_diff(*files, max_bytes);
    const Places kept = places_of(parts);
    require(std::includes(all.begin(), all.end(), kept.begin(), kept.end()), "a place of its own",
            text);
    const bool has_binary =
        std::any_of(files->begin(), files->end(), [](const DiffFile& file) { return file.binary; });
    require(has_binary || kept.size() == all.size(), "a lost line", text);
    for (const DiffPart& part : parts.parts) {
      require(part.text.size() <= max_bytes + kHeads, "a long part", text);
    }
  }
}

// The pieces of the text, split at its first two bytes 1: the old text, the text to replace, and
// the replacement.
struct Edit {
  std::string_view before;
  std::string_view wanted;
  std::string_view put;
};

Edit edit_of(std::string_view text) {
  const std::size_t first = std::min(text.find('\x01'), text.size());
  const std::size_t second = std::min(text.find('\x01', first + 1), text.size());
  Edit edit{text.substr(0, first), "", ""};
  if (first < text.size()) edit.wanted = text.substr(first + 1, second - first - 1);
  if (second < text.size()) edit.put = text.substr(second + 1);
  return edit;
}

std::string without_returns(std::string_view text) {
  return replace_all(text, "\r\n", "\n");
}

void check_replacing(const Edit& edit, std::string_view text) {
  const auto found = find_text(edit.before, edit.wanted);
  std::size_t behind = 0;
  for (const Occurrence& one : found) {
    require(one.offset >= behind && one.offset + one.bytes <= edit.before.size(), "out of order",
            text);
    behind = one.offset + one.bytes;
    require(
        without_returns(edit.before.substr(one.offset, one.bytes)) == without_returns(edit.wanted),
        "another text is found", text);
  }
  if (found.empty()) return;
  const EditedText edited = replace_occurrences(edit.before, found, edit.put);
  require(edited.text.starts_with(edit.before.substr(0, found.front().offset)), "another beginning",
          text);
  require(edited.text.ends_with(edit.before.substr(behind)), "another end", text);
}

void check_lines(const Edit& edit, std::string_view text) {
  // Without a final line end, an empty last line does not count as a line.
  if (!edit.before.empty() && !edit.before.ends_with('\n')) return;
  const LineTable table(edit.before);
  for (std::size_t first = 1; first <= std::min<std::size_t>(table.size() + 1, 6); ++first) {
    for (std::size_t last = first - 1; last <= std::min<std::size_t>(table.size(), 6); ++last) {
      const LineRange range{first, last};
      if (!fits(table, range)) continue;
      const EditedText edited = replace_lines(edit.before, range, edit.put);
      const LineTable now(edited.text);
      const std::size_t put = split_lines(edit.put).size();
      require(edited.lines.size() == put, "other lines than were put there", text);
      require(now.size() == table.size() - range.size() + put, "another number of lines", text);
      for (std::size_t i = 1; i < first; ++i) {
        require(now.line(i) == table.line(i), "a line before it", text);
      }
      for (std::size_t i = last + 1; i <= table.size(); ++i) {
        require(now.line(i - range.size() + put) == table.line(i), "a line behind it", text);
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_diff(text);
  const Edit edit = edit_of(text);
  if (!edit.wanted.empty()) check_replacing(edit, text);
  check_lines(edit, text);
  return 0;
}
