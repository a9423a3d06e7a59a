// A column of a table and its specification.
#pragma once

#include <string>
#include <vector>

enum class Align { kLeft, kRight, kCenter };

struct Column {
  std::string title;
  int width = 0;  // characters
  Align align = Align::kLeft;
};

/// Reads a specification: columns such as "price:6" or "price:>6", separated by spaces. The
/// sign before the width is '<' (left, the default), '>' (right) or '^' (center).
/// Throws std::invalid_argument("bad column 'TEXT'") for a column without a title or without
/// a positive width.
std::vector<Column> parse_spec(const std::string& spec);
