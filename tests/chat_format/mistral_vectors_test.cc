// Compares Mistral's formats with mistral-common, id by id, with the real vocabularies from
// `scripts/fetch-vocab`. Skipped (77) without any of these vocabularies.
//   tests/data/format             committed rows, see its README.md
//   PEDROCLI_MISTRAL_ROWS         a file of more rows, as reference/run writes them
//   PEDROCLI_MISTRAL_VECTORS      a file of vectors of another origin, see reference_rows.h
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "chat_format/format_family.h"
#include "chat_format/hostile_contents.h"
#include "chat_format/reference_rows.h"
#include "tokenizer/fetched_vocabularies.h"

namespace pedro {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Returns null if the vocabulary is not available. Reads each vocabulary once.
VocabularyTokenizer* open(const std::string& name) {
  static std::map<std::string, std::unique_ptr<VocabularyTokenizer>> known;
  const auto [at, fresh] = known.try_emplace(name);
  if (!fresh) return at->second.get();
  if (!is_fetched(name)) {
    fmt::print("SKIPPED: ids of {}: the vocabulary is not there\n", name);
    return nullptr;
  }
  auto tokenizer = open_fetched(name);
  REQUIRE_MESSAGE(tokenizer.ok(), (tokenizer.ok() ? "" : tokenizer.error().message));
  at->second = *std::move(tokenizer);
  return at->second.get();
}

void compare(const std::vector<ReferenceRow>& rows) {
  std::size_t same = 0;
  for (const ReferenceRow& row : rows) {
    const auto family = find_format(row.format);
    REQUIRE_MESSAGE(family.ok(), family.error().message);
    const std::string difference = difference_from(row, open(std::string((*family)->vocabulary)));
    CHECK_MESSAGE(difference.empty(), row.format << ": " << row.name << ": " << difference);
    same += difference.empty() ? 1 : 0;
  }
  fmt::print("{} of {} conversations as the reference has them\n", same, rows.size());
  CHECK(!rows.empty());
}

}  // namespace

TEST_CASE("mistral vectors: the rows that are here") {
  const std::string data = TEST_DATA "/format/";
  compare(read_reference_rows(data + "mistral.expected.jsonl", data + "mistral.requests.jsonl"));
}

TEST_CASE("mistral vectors: rows made by the reference just now") {
  const std::string path = variable("PEDROCLI_MISTRAL_ROWS");
  if (path.empty()) {
    fmt::print("SKIPPED: more rows: PEDROCLI_MISTRAL_ROWS names none; reference/run makes them\n");
    return;
  }
  compare(read_reference_rows(path));
}

TEST_CASE("mistral vectors: those of another origin") {
  const std::string path = variable("PEDROCLI_MISTRAL_VECTORS");
  if (path.empty()) {
    fmt::print("SKIPPED: other vectors: PEDROCLI_MISTRAL_VECTORS names no file\n");
    return;
  }
  compare(read_reference_vectors(path));
}

TEST_CASE("mistral vectors: no content becomes a control token of the real vocabularies") {
  for (const FormatFamily& family : format_families()) {
    VocabularyTokenizer* const tokenizer = open(std::string(family.vocabulary));
    if (tokenizer != nullptr) check_hostile_contents(family, *tokenizer);
  }
}

}  // namespace pedro

int main(int argc, char** argv) {
  if (!std::filesystem::is_directory(pedro::fetched_folder())) {
    fmt::print("SKIPPED: no vocabularies in {}; scripts/fetch-vocab brings them\n",
               pedro::fetched_folder());
    return 77;
  }
  return doctest::Context(argc, argv).run();
}
