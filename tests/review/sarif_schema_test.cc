// Validates the SARIF output of a review with the official schema. PEDROCLI_SARIF_SCHEMA is the
// path of the schema; see with-sarif-schema.
#include <doctest/doctest.h>

#include <cstdlib>

#include "json_schema/schema.h"
#include "json_schema/validate.h"
#include "review/finding.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

Json read_json(const std::string& path) {
  const auto text = RealFileSystem().read(path, 1 << 20);
  REQUIRE(text.ok());
  const auto json = parse_json(*text);
  REQUIRE(json.ok());
  return *json;
}

Schema official_schema() {
  const char* path = std::getenv("PEDROCLI_SARIF_SCHEMA");
  REQUIRE(path != nullptr);
  auto schema = parse_schema(read_json(path));
  const std::string problem = schema ? "" : schema.error().message;
  REQUIRE_MESSAGE(schema.ok(), problem);
  return *std::move(schema);
}

std::string problem_of(const Schema& schema, const Json& log) {
  const auto violation = validate(schema, log);
  return violation ? to_string(*violation) : "";
}

}  // namespace

TEST_CASE("sarif: the official schema accepts our output, for any findings") {
  const Schema schema = official_schema();
  const ReviewFinding finding{.file = "src/a b%\xC3\xA4.c",
                              .line = 1,
                              .severity = ReviewSeverity::kInfo,
                              .category = "tests",
                              .explanation = "none",
                              .suggestion = ""};
  std::vector<ReviewFinding> findings;
  CHECK(problem_of(schema, to_sarif(findings, {}, true, "1.0")) == "");
  for (const ReviewSeverity severity :
       {ReviewSeverity::kCritical, ReviewSeverity::kHigh, ReviewSeverity::kMedium,
        ReviewSeverity::kLow, ReviewSeverity::kInfo}) {
    findings.push_back(finding);
    findings.back().severity = severity;
    findings.back().line = static_cast<int>(findings.size()) * 1000;
    findings.back().suggestion = "add some";
  }
  CHECK(problem_of(schema, to_sarif(findings, {"a.bin: a binary file"}, false, "1.0")) == "");
  CHECK(problem_of(schema, read_json(TEST_DATA "/sessions/review/expected/findings.sarif")) == "");
}

TEST_CASE("sarif: the official schema refuses invalid output") {
  const Schema schema = official_schema();
  const Json log = read_json(TEST_DATA "/sessions/review/expected/findings.sarif");
  struct Row {
    const char* pointer;
    Json value;
  };
  for (const Row& row : std::vector<Row>{
           {"/version", "2.0.0"},
           {"/runs/0/results/0/level", "severe"},
           {"/runs/0/results/0/message", "text"},
           {"/runs/0/results/0/ruleIndex", -2},
           {"/runs/0/results/0/locations/0/physicalLocation/region/startLine", 0},
           {"/runs/0/tool/driver/name", 7},
           {"/runs/0/invented", true},
       }) {
    CAPTURE(row.pointer);
    Json wrong = log;
    wrong[Json::json_pointer(row.pointer)] = row.value;
    CHECK(problem_of(schema, wrong) != "");
  }
}

}  // namespace pedro
