// A column of a table and its specification.
#pragma once

#include <string>
#include <vector>

struct Column {
  std::string title;
  int width = 0;  // characters
};

/// Reads a specification: columns such as "price:6", separated by spaces.
/// Throws std::invalid_argument("bad column 'TEXT'") for a column without a title or without
/// a positive width.
std::vector<Column> parse_spec(const std::string& spec);
