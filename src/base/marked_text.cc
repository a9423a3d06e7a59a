#include "base/marked_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMarkBytes = 8;
constexpr std::size_t kFewestBytes = 512;
constexpr std::string_view kBegins = " begins]";

// A piece with its marks, or the text between two pieces.
struct Piece {
  std::string_view begin;
  std::string_view text;
  std::string_view end;
  std::string cut = {};
  bool is_cut = false;
};

// Returns "issue 7 1c54d4fa" for a line that begins a piece, else "".
std::string_view name_in(std::string_view line) {
  if (!line.starts_with('[') || !line.ends_with(kBegins)) return {};
  const std::string_view name = line.substr(1, line.size() - 1 - kBegins.size());
  if (name.size() < kMarkBytes + 2 || name[name.size() - kMarkBytes - 1] != ' ') return {};
  const std::string_view mark = name.substr(name.size() - kMarkBytes);
  return mark.find_first_not_of("0123456789abcdef") == mark.npos ? name : std::string_view();
}

// Splits a text into pieces. A piece ends at the first line with its mark, since it cannot contain
// the mark. Pieces are not nested.
std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    const std::string_view name = name_in(text.substr(at, line_end - at));
    const std::string last = fmt::format("\n[{} ends]", name);
    const std::size_t end = name.empty() ? text.npos : text.find(last, line_end);
    if (end == text.npos) {
      at = line_end + 1;
      continue;
    }
    if (at > from) pieces.push_back({"", text.substr(from, at - from), ""});
    const std::size_t begin = std::min(line_end + 1, end);
    pieces.push_back({text.substr(at, begin - at), text.substr(begin, end - begin),
                      text.substr(end, last.size())});
    at = from = end + last.size();
  }
  if (from < text.size()) pieces.push_back({"", text.substr(from), ""});
  return pieces;
}

}  // namespace

std::string marked(std::string_view what, std::string_view text) {
  const std::string clean = make_printable(trim(text));
  std::string mark;
  for (std::uint64_t hash = hash_bytes(what); mark.empty() || clean.find(mark) != clean.npos;
       hash = hash_bytes(mark, hash)) {
    mark = to_hex(hash).substr(0, kMarkBytes);
  }
  return fmt::format("[{0} {1} begins]\n{2}\n[{0} {1} ends]", what, mark, clean);
}

std::string cut_marked(std::string_view text, std::size_t max_bytes, std::string_view how) {
  std::vector<Piece> pieces = pieces_of(text);
  std::size_t bytes = text.size();
  while (bytes > max_bytes) {
    Piece* longest = nullptr;
    for (Piece& piece : pieces) {
      const bool is_longer = longest == nullptr || piece.text.size() > longest->text.size();
      if (!piece.is_cut && is_longer) longest = &piece;
    }
    if (longest == nullptr || longest->text.size() <= kFewestBytes) break;
    const std::size_t whole = longest->text.size();
    const std::size_t excess = std::min(whole, bytes - max_bytes);
    longest->cut = cut_middle(longest->text, std::max(kFewestBytes, whole - excess), how);
    longest->is_cut = true;
    bytes -= whole - longest->cut.size();
  }
  std::string out;
  for (const Piece& piece : pieces) {
    out += piece.begin;
    out += piece.is_cut ? std::string_view(piece.cut) : piece.text;
    out += piece.end;
  }
  return out;
}

}  // namespace pedro
