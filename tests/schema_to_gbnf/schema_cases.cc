#include "schema_to_gbnf/schema_cases.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "base/text.h"
#include "support/read_file.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

// Reads a text per line, from a file that may be missing. A line "= " with a JSON string encodes a
// text that does not fit on a line.
std::vector<std::string> read_texts(const fs::path& path) {
  std::vector<std::string> texts;
  if (!fs::exists(path)) return texts;
  const std::string bytes = read_file(path);
  for (const std::string_view line : split_lines(bytes)) {
    if (!line.starts_with("= ")) {
      texts.emplace_back(line);
      continue;
    }
    const auto text = parse_json(line.substr(2));
    REQUIRE(text.ok());
    texts.push_back(text->get<std::string>());
  }
  return texts;
}

SchemaCase read_case(const fs::path& folder) {
  CAPTURE(folder);
  const auto json = parse_json(read_file(folder / "schema.json"), {.exact_numbers = true});
  REQUIRE(json.ok());
  auto schema = parse_schema(*json);
  REQUIRE(schema.ok());
  return SchemaCase{folder.filename().string(),
                    folder,
                    *std::move(schema),
                    read_texts(folder / "accept.jsonl"),
                    read_texts(folder / "reject.jsonl"),
                    read_texts(folder / "valid.jsonl"),
                    read_texts(folder / "loose.jsonl")};
}

}  // namespace

const std::vector<SchemaCase>& schema_cases() {
  static const std::vector<SchemaCase> cases = [] {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(fs::path(TEST_DATA) / "schema")) {
      if (entry.is_directory()) folders.push_back(entry.path());
    }
    std::sort(folders.begin(), folders.end());
    std::vector<SchemaCase> all;
    for (const fs::path& folder : folders) all.push_back(read_case(folder));
    return all;
  }();
  REQUIRE(cases.size() > 100);
  return cases;
}

Gbnf grammar_of(const Schema& schema, std::vector<Loosened>& loosened) {
  GrammarBuilder builder;
  Expr root = add_schema(builder, schema, "args", loosened);
  return builder.finish(std::move(root));
}

void check_golden(const fs::path& file, const std::string& text) {
  CAPTURE(file);
  if (std::getenv("PEDROCLI_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(file, std::ios::binary) << text;
  } else {
    CHECK(read_file(file) == text);
  }
}

}  // namespace pedro
