#include "review/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFiles = 100'000;
// The limit for lines outside hunks. They may have two paths of 4096 bytes, each byte quoted as
// four.
constexpr std::size_t kMaxLineBytes = 64 * 1024;
constexpr std::size_t kMaxHeadingBytes = 200;
constexpr std::string_view kUnmerged = "* Unmerged path ";
constexpr int kMaxLine = 1'000'000'000;

int count(const DiffFile& file, DiffLine::Kind kind) {
  int lines = 0;
  for (const DiffHunk& hunk : file.hunks) {
    for (const DiffLine& line : hunk.lines) lines += line.kind == kind ? 1 : 0;
  }
  return lines;
}

// Returns the path in "a/src/x.cc", also quoted; "" for /dev/null.
std::string path_of(std::string_view text) {
  if (const std::size_t tab = text.find('\t'); tab != text.npos) text = text.substr(0, tab);
  std::string path = unquoted_path(text).value_or(std::string(text));
  if (path == "/dev/null") return "";
  return path.size() > 2 && path[1] == '/' ? path.substr(2) : path;
}

// The start and the number of lines in "-12,3".
struct Range {
  int start = 0;
  int count = 1;
};

bool read_number(std::string_view& text, int& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || out < 0 || out > kMaxLine) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool read_range(std::string_view& text, char sign, Range& out) {
  if (text.empty() || text[0] != sign) return false;
  text.remove_prefix(1);
  if (!read_number(text, out.start)) return false;
  if (!text.starts_with(',')) return true;
  text.remove_prefix(1);
  return read_number(text, out.count);
}

class DiffReader {
 public:
  explicit DiffReader(std::string_view text) : lines_(split_lines(text)) {}

  Result<std::vector<DiffFile>> read() {
    while (at_ < lines_.size()) {
      PEDRO_RETURN_IF_ERROR(take_line(lines_[at_++]));
    }
    return std::move(files_);
  }

 private:
  Status wrong(std::string_view what) const {
    return Error{ErrorKind::kUsage, fmt::format("the diff, line {}: {}", at_, what)};
  }

  Status take_line(std::string_view line) {
    if (line.size() > kMaxLineBytes) {
      return wrong(fmt::format("the line is longer than {} bytes", kMaxLineBytes));
    }
    const bool is_unmerged = line.starts_with(kUnmerged);
    if (is_unmerged || line.starts_with("diff --git ")) {
      if (files_.size() >= kMaxFiles) return wrong("more than 100000 files");
      files_.emplace_back();
      files_.back().unmerged = is_unmerged;
      files_.back().path =
          is_unmerged ? std::string(line.substr(kUnmerged.size())) : name_in(line.substr(11));
      return {};
    }
    if (trim(line).empty()) return {};
    if (files_.empty() || files_.back().unmerged) return wrong("expected 'diff --git'");
    DiffFile& file = files_.back();
    if (line.starts_with("@@ ")) return take_hunk(line, file);
    if (line.starts_with("--- ")) {
      old_ = path_of(line.substr(4));
    } else if (line.starts_with("+++ ")) {
      const std::string path = path_of(line.substr(4));
      file.deleted = path.empty();
      file.path = path.empty() ? old_ : path;
    } else if (line.starts_with("rename from ")) {
      file.old_path = path_of(std::string("a/") + std::string(line.substr(12)));
    } else if (line.starts_with("rename to ")) {
      file.path = path_of(std::string("b/") + std::string(line.substr(10)));
    } else if (line.starts_with("deleted file mode")) {
      file.deleted = true;
    } else if (line.starts_with("Binary files ") || line.starts_with("GIT binary patch")) {
      file.binary = true;
    }
    return {};  // modes, index, the bytes of a binary patch
  }

  // Returns the path in "a/x b/x" of a file without hunks. Both halves are equal except for the
  // first letter.
  static std::string name_in(std::string_view names) {
    const std::size_t half = names.size() / 2;
    return path_of(half < names.size() ? names.substr(half + 1) : names);
  }

  Status take_hunk(std::string_view line, DiffFile& file) {
    Range old_lines;
    Range new_lines;
    std::string_view rest = line.substr(3);
    bool good = read_range(rest, '-', old_lines) && rest.starts_with(' ');
    if (good) rest.remove_prefix(1);
    good = good && read_range(rest, '+', new_lines) && rest.starts_with(" @@");
    if (!good) return wrong("expected '@@ -N,N +N,N @@'");
    DiffHunk hunk;
    hunk.heading = truncate_utf8(trim(rest.substr(3)), kMaxHeadingBytes);
    int old_left = old_lines.count;
    int new_left = new_lines.count;
    while (old_left > 0 || new_left > 0) {
      if (at_ >= lines_.size()) return wrong("the hunk ends too early");
      const std::string_view text = lines_[at_++];
      if (text.starts_with('\\')) continue;  // no newline at the end of the file
      const char sign = text.empty() ? ' ' : text[0];
      const std::string body(text.empty() ? text : text.substr(1));
      if (sign == ' ' && old_left > 0 && new_left > 0) {
        hunk.lines.push_back({DiffLine::Kind::kContext, new_lines.start++, body});
        ++old_lines.start, --old_left, --new_left;
      } else if (sign == '+' && new_left > 0) {
        hunk.lines.push_back({DiffLine::Kind::kAdded, new_lines.start++, body});
        --new_left;
      } else if (sign == '-' && old_left > 0) {
        hunk.lines.push_back({DiffLine::Kind::kRemoved, old_lines.start++, body});
        --old_left;
      } else {
        return wrong("the hunk's lines do not match its header");
      }
    }
    file.hunks.push_back(std::move(hunk));
    return {};
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::vector<DiffFile> files_;
  std::string old_;
};

// Distributes files, hunks and lines over parts.
class DiffCutter {
 public:
  explicit DiffCutter(std::size_t max_bytes) : max_bytes_(std::max<std::size_t>(1024, max_bytes)) {}

  void add(const DiffFile& file) {
    if (file.binary) return leave_out(file.path + ": a binary file");
    if (file.unmerged) return leave_out(file.path + ": an unresolved conflict");
    std::string head = fmt::format("=== {}{}{}\n", file.path, file.deleted ? " (deleted)" : "",
                                   file.old_path.empty() ? "" : " (was " + file.old_path + ")");
    if (file.hunks.empty()) return leave_out(file.path + ": only its name or mode changed");
    std::size_t bytes = head.size();
    for (const DiffHunk& hunk : file.hunks) bytes += shown_bytes(hunk);
    if (part_.text.size() + bytes > max_bytes_) close();
    begin(file, head);
    for (const DiffHunk& hunk : file.hunks) {
      const bool fits = part_.text.size() + shown_bytes(hunk) <= max_bytes_;
      if (!fits && part_.text.size() > head.size()) {
        close();
        begin(file, head);
      }
      part_.text += heading_of(hunk);
      for (const DiffLine& line : hunk.lines) {
        std::string shown = show(line, file);
        if (part_.text.size() + shown.size() > max_bytes_) {
          close();
          begin(file, head);
          part_.text += heading_of(hunk);
        }
        part_.text += shown;
        const bool numbered = file.deleted || line.kind != DiffLine::Kind::kRemoved;
        if (numbered) part_.lines.back().numbers.push_back(line.number);
      }
    }
  }

  DiffParts take() {
    close();
    number_titles();
    return std::move(parts_);
  }

 private:
  static std::string heading_of(const DiffHunk& hunk) {
    return hunk.heading.empty() ? "@@\n" : fmt::format("@@ {}\n", hunk.heading);
  }

  std::size_t shown_bytes(const DiffHunk& hunk) const {
    std::size_t bytes = hunk.heading.size() + 4;
    for (const DiffLine& line : hunk.lines) bytes += std::min(line.text.size(), max_bytes_ / 4) + 9;
    return bytes;
  }

  void leave_out(std::string what) { parts_.left_out.push_back(std::move(what)); }

  void begin(const DiffFile& file, const std::string& head) {
    part_.text += head;
    part_.lines.push_back({file.path, file.deleted, {}});
    part_.title += part_.title.empty() ? file.path : ", " + file.path;
  }

  void close() {
    if (!part_.text.empty()) parts_.parts.push_back(std::move(part_));
    part_ = {};
  }

  std::string show(const DiffLine& line, const DiffFile& file) {
    const bool removed = line.kind == DiffLine::Kind::kRemoved;
    const char sign = removed ? '-' : line.kind == DiffLine::Kind::kAdded ? '+' : ' ';
    const std::string number = removed && !file.deleted ? "" : std::to_string(line.number);
    const std::string_view kept = truncate_utf8(line.text, max_bytes_ / 4);
    std::string cut;
    if (kept.size() < line.text.size()) {
      const std::size_t missing = line.text.size() - kept.size();
      cut = fmt::format(" [... {} bytes left out]", missing);
      leave_out(fmt::format("{}:{}: {} bytes of a long line", file.path, line.number, missing));
    }
    return fmt::format("{:>5} {} {}{}\n", number, sign, kept, cut);
  }

  // Numbers the parts with the same title, that is of one file.
  void number_titles() {
    std::vector<DiffPart>& parts = parts_.parts;
    for (std::size_t i = 0; i < parts.size();) {
      std::size_t end = i + 1;
      while (end < parts.size() && parts[end].title == parts[i].title) ++end;
      const std::size_t total = end - i;
      for (std::size_t n = 1; i < end; ++i, ++n) {
        if (total > 1) parts[i].title += fmt::format(" ({} of {})", n, total);
      }
    }
  }

  std::size_t max_bytes_;
  DiffPart part_;
  DiffParts parts_;
};

}  // namespace

int DiffFile::added() const {
  return count(*this, DiffLine::Kind::kAdded);
}

int DiffFile::removed() const {
  return count(*this, DiffLine::Kind::kRemoved);
}

Result<std::vector<DiffFile>> parse_diff(std::string_view text) {
  return DiffReader(text).read();
}

DiffParts cut_diff(const std::vector<DiffFile>& files, std::size_t max_bytes) {
  DiffCutter cutter(max_bytes);
  for (const DiffFile& file : files) cutter.add(file);
  return cutter.take();
}

}  // namespace pedro
