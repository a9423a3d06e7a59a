// Jobs on real weights: a 0.5B model has to solve a task of bench/tasks, and "verified" has to be
// true in a fresh clone.
#include <doctest/doctest.h>

#include "base/json.h"
#include "llama/session.h"

namespace pedro {
namespace {

// The row of a task in a record of `eval tasks`; null where its programs are missing here.
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

TEST_CASE("weights: a small model solves a small task, and \"verified\" is true") {
  Session session;
  session.environment["PEDROCLI_MODEL_TRIES"] = "-1";
  session.timeout_s = 500;
  const Json row = evaluate(session, "js-cart-total");
  if (row.is_null()) {
    MESSAGE("skipped: node is missing");
    return;
  }
  CAPTURE(to_line(row));
  CHECK(truth_of(row, "solved"));
  CHECK(truth_of(row, "verified"));
  CHECK(truth_of(row, "visible_in_clone"));
  CHECK(number_of(row, "calls") > 0);
  CHECK(number_of(row, "same_refused_in_a_row") <= 1);
}

}  // namespace pedro
