#include "gbnf/source_excerpt.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kColumns = 76;
constexpr std::size_t kColumnsBefore = 48;

bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

// Maps the '\n' of a "\r\n" to its '\r'.
std::size_t on_its_line(std::string_view text, std::size_t offset) {
  const bool second = offset > 0 && offset < text.size() && text[offset] == '\n';
  return second && text[offset - 1] == '\r' ? offset - 1 : offset;
}

std::size_t line_begin(std::string_view text, std::size_t offset) {
  while (offset > 0 && !is_line_end(text[offset - 1])) --offset;
  return offset;
}

std::string_view first_code_point(std::string_view text) {
  return text.substr(0, std::max<std::size_t>(1, utf8_sequence_length(text)));
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_code_point(text).size());
  return count;
}

std::string_view without_first(std::string_view text, std::size_t code_points) {
  while (code_points-- > 0) text.remove_prefix(first_code_point(text).size());
  return text;
}

void append_shown(std::string& out, std::string_view code_point) {
  out += code_point == "\t" ? " " : make_printable(code_point);
}

}  // namespace

LineColumn line_column(std::string_view text, std::size_t offset) {
  offset = on_its_line(text, offset);
  const std::size_t begin = line_begin(text, offset);
  LineColumn place;
  for (std::size_t i = 0; i < begin; ++i) {
    const bool first_of_two = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (is_line_end(text[i]) && !first_of_two) ++place.line;
  }
  place.column += count_code_points(text.substr(begin, offset - begin));
  return place;
}

std::string excerpt(std::string_view text, std::size_t offset) {
  offset = on_its_line(text, offset);
  const std::size_t begin = line_begin(text, offset);
  const std::string_view line = text.substr(begin, offset - begin);
  const std::size_t columns = count_code_points(line);
  const std::size_t shown = std::min(columns, kColumnsBefore);
  std::string out = shown < columns ? "  ..." : "  ";
  const std::size_t caret = out.size() + shown;
  std::string_view before = without_first(line, columns - shown);
  while (!before.empty()) {
    const std::string_view next = first_code_point(before);
    append_shown(out, next);
    before.remove_prefix(next.size());
  }
  std::string_view rest = text.substr(offset);
  rest = rest.substr(0, rest.find_first_of("\r\n"));
  for (std::size_t column = 0; shown + column < kColumns && !rest.empty(); ++column) {
    const std::string_view next = first_code_point(rest);
    append_shown(out, next);
    rest.remove_prefix(next.size());
  }
  if (!rest.empty()) out += "...";
  return fmt::format("{}\n{}^", out, std::string(caret, ' '));
}

std::string located(std::string_view name, std::string_view text, std::size_t offset,
                    std::string_view message) {
  const LineColumn place = line_column(text, offset);
  return fmt::format("{}:{}:{}: {}\n{}", name, place.line, place.column, message,
                     excerpt(text, offset));
}

}  // namespace pedro
