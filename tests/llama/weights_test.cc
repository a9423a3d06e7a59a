// Runs jobs with real weights. A 0.5B model must solve a task of bench/tasks, and "verified" must
// hold in a fresh clone.
#include <doctest/doctest.h>

#include "base/json.h"
#include "llama/session.h"

namespace pedro {
namespace {

// Returns the row of a task in a record of `eval tasks`; null if its programs are not installed.
Json evaluate(Session& session, const std::string& task) {
  const ProcessResult result =
      session.pedrocli({"eval", "tasks", PEDROCLI_SOURCE "/bench/tasks", "-task", task, "-out",
                        session.folder.at("record.jsonl")});
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  Json found;
  const std::string record = session.folder.read("record.jsonl");
  for (const std::string_view line : split_lines(record)) {
    const Result<Json> row = parse_json(line);
    REQUIRE(row.ok());
    if (row->contains("task")) found = *row;
  }
  return found;
}

}  // namespace

TEST_CASE("weights: a small model acts at once, and the report on its work is true") {
  Session session;
  session.environment["PEDROCLI_MODEL_TRIES"] = "3";
  session.timeout_s = 500;
  const Json row = evaluate(session, "py-stock-reorder");
  if (row.is_null()) {
    MESSAGE("skipped: python3 is missing");
    return;
  }
  CAPTURE(to_line(row));
  MESSAGE("solved: ", truth_of(row, "solved"));
  const bool verified = truth_of(row, "verified");
  CHECK(verified == truth_of(row, "visible_in_clone"));
  CHECK(number_of(row, "exit_code") == (verified ? 0 : 6));
  CHECK(text_of(row, "outcome") == (verified ? "done" : "limit"));
  CHECK(number_of(row, "tries") >= (verified ? 1 : 3));
  CHECK(number_of(row, "generated_tokens") > 0);
}

}  // namespace pedro
