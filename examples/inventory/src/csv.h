#pragma once

#include <string>
#include <vector>

// Comma-separated values as spreadsheets export them: a field that stands in double quotes may
// hold commas, and a double quote inside it is written twice.

// The fields of one line, without the quotes around them.
std::vector<std::string> split_fields(const std::string& line);

// The line for these fields; the opposite of split_fields.
std::string join_fields(const std::vector<std::string>& fields);
