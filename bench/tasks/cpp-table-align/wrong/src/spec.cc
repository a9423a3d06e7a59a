#include <sstream>
#include <stdexcept>

#include "column.h"

namespace {

// A positive number of at most three digits, or 0.
int parse_width(const std::string& text) {
  if (text.empty() || text.size() > 3) return 0;
  int width = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return 0;
    width = width * 10 + (c - '0');
  }
  return width;
}

Column parse_column(const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0) {
    throw std::invalid_argument("bad column '" + text + "'");
  }
  Column column;
  column.title = text.substr(0, colon);
  std::string width = text.substr(colon + 1);
  if (!width.empty() && (width[0] == '<' || width[0] == '>' || width[0] == '^')) {
    column.align = width[0];
    width.erase(0, 1);
  }
  column.width = parse_width(width);
  if (column.width == 0) throw std::invalid_argument("bad column '" + text + "'");
  return column;
}

}  // namespace

std::vector<Column> parse_spec(const std::string& spec) {
  std::vector<Column> columns;
  std::istringstream words(spec);
  std::string word;
  while (words >> word) columns.push_back(parse_column(word));
  return columns;
}
