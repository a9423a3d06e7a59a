// family_session_test ROW [ROUNDS] | -rows | -all | -model ROW | -tokens ROW | -template ROW FILE
//
// Tests `pedrocli build` on a real llama-server (PEDROCLI_SERVER_URL). Its model has a family's
// chat template and control tokens, and writes noise. The grammar must turn the noise into calls in
// the family's syntax. No token may be evaluated twice, in ROUNDS (20) rounds. Prints a row of the
// result table. A ROW is one of tests/data/format/sessions.json, with these members:
//
//   "family"          default: the row's name
//   "template"        the template's name
//   "like"            the row of templates.json with vocabulary, tokens, edits; default: "template"
//   "vocabulary"      replaces that row's; a file's name has a dot, "pre" is then its pre-tokenizer
//   "tokens"          in addition to that row's
//   "bos", "eos"      the tokens that begin texts and end replies
//   "chosen_by_name"  the family is given by name, because the template is not its own
//   "mode"            the generation mode
//   "short_texts"     limits the length of texts, because noise rarely produces their end
//   "default"         ctest runs the row
//
// The other forms print data for each-session: the rows; the names of a row's template and
// vocabulary; the tokens for make_model; the template of FILE with its edits. Exit: 0 all as
// expected, 1 a check failed, 2 usage.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "json_schema/schema_keywords.h"
#include "llama/session.h"
#include "llama/template_rows.h"
#include "support/read_file.h"

namespace pedro {
namespace {

struct Plan {
  Json row;
  std::string rounds = "20";
};
Plan plan;

Json sessions() {
  return rows_of("sessions.json", "sessions");
}

std::string family_of(const Json& row) {
  return text_of(row, "family", text_of(row, "name"));
}

// Returns the row of templates.json that a session row refers to.
Json likeness_of(const Json& row) {
  return row_named(rows_of("templates.json", "templates"),
                   text_of(row, "like", text_of(row, "template")));
}

void print_tokens(const Json& row) {
  fmt::print("^{}\n", text_of(row, "eos"));
  std::vector<std::string> tokens = tokens_for_model(likeness_of(row));
  for (const Json& token : member(row, "tokens")) tokens.push_back(token.get<std::string>());
  if (const auto family = find_format(family_of(row)); family) {
    for (const std::string& token : tokens_for_model(**family)) tokens.push_back(token);
  }
  // A separate vocabulary has its own BOS, unless the row defines one.
  for (std::string& token : tokens) {
    const bool is_bos = token == text_of(row, "bos");
    if (row.contains("pre") && !is_bos && !token.starts_with('=')) token.insert(0, "+");
    if (token == "+" + text_of(row, "eos")) continue;
    if (token != text_of(row, "eos") && token != "=" + text_of(row, "eos")) {
      fmt::print("{}\n", token);
    }
  }
}

struct Totals {
  std::string format;
  int turns = 0;
  int calls = 0;
  int valid_calls = 0;
  long long first_prompt = 0;
  long long evaluated_twice = 0;
  int wrong_prefixes = 0;  // more or fewer cached tokens than expected
  bool stuck = false;      // noise repeated itself four times, which ends a phase
  std::string not_valid;   // the last invalid call
};

Totals totals_of(const std::vector<Json>& journal) {
  Totals out;
  for (const Json& event : journal) {
    const std::string type = text_of(event, "type");
    const Json& item = member(event, "item");
    if (type == "thread.started") out.format = text_of(event, "format");
    const bool is_call = type == "item.completed" && text_of(item, "type") == "tool_call";
    if (is_call && text_of(item, "tool") != "phase_complete") {
      ++out.calls;
      const bool valid = truth_of(item, "valid", false);
      out.valid_calls += valid;
      if (!valid) out.not_valid = to_line(item);
    }
    if (type == "phase.completed" && text_of(event, "end") == "stuck") out.stuck = true;
    if (type != "turn.completed") continue;
    const Json& usage = member(event, "usage");
    const Json& cache = member(event, "cache");
    if (++out.turns == 1) {
      out.first_prompt = number_of(usage, "input_tokens");
      continue;
    }
    out.evaluated_twice += number_of(cache, "missed_tokens");
    const long long expected = number_of(cache, "expected_tokens");
    const bool as_expected = expected > 0 && number_of(usage, "cached_input_tokens") == expected;
    out.wrong_prefixes += !as_expected;
  }
  return out;
}

// Limits the length of all texts in calls.
void keep_texts_short(const Session& session) {
  constexpr long long kLongest = 24;  // grammars of tags also count up to this length
  for (const std::string folder : {"tools", "prompts/build"}) {
    const auto files = session.files.list(PEDROCLI_SOURCE "/" + folder);
    REQUIRE(files.ok());
    for (const FolderEntry& file : *files) {
      const std::string path = folder + "/" + file.name;
      if (!path.ends_with(".json")) continue;
      auto json = parse_json(read_file(PEDROCLI_SOURCE "/" + path));
      REQUIRE(json.ok());
      if (json->contains("actions")) {
        for (Json& action : (*json)["actions"]) action.erase("examples");  // may be longer
      }
      session.folder.write("project/.pedro/" + path, to_line(with_short_texts(*json, kLongest)));
    }
  }
}

// Returns the refused requests, except probes of a template's features.
std::vector<std::string> refusals_in(const std::string& log) {
  std::vector<std::string> refusals;
  std::string_view asked;
  for (const std::string_view line : split_lines(log)) {
    const bool refused = line.starts_with("debug http: 4") || line.starts_with("debug http: 5");
    if (line.starts_with("debug http: POST") || line.starts_with("debug http: GET")) asked = line;
    if (!refused || asked.find("/apply-template ") != std::string_view::npos) continue;
    refusals.emplace_back(asked.substr(0, 200));
    refusals.back() += line;
  }
  return refusals;
}

std::string tail_of(const std::string& log) {
  constexpr std::size_t kShownBytes = 2000;
  return log.substr(log.size() - std::min(log.size(), kShownBytes));
}

// Plays the session of a row once and returns what its journal says.
Totals play(const Json& row, const std::string& mode) {
  Session session;
  session.let_phases_go_on(plan.rounds);
  if (truth_of(row, "short_texts")) keep_texts_short(session);
  session.environment = {{"PEDROCLI_MODEL_MODE", mode}};
  std::vector<std::string> args = {"build",     "-issue",      "7",           "-max-rounds",
                                   plan.rounds, "-debug=http", "-allow-dirty"};
  if (truth_of(row, "chosen_by_name")) args.insert(args.end(), {"-format", family_of(row)});
  const ProcessResult result = session.pedrocli(args);
  INFO(tail_of(result.err));
  REQUIRE((result.exit_code == 5 || result.exit_code == 6 || result.exit_code == 9));
  CHECK(refusals_in(result.err) == std::vector<std::string>());
  Totals totals = totals_of(session.journal());
  const bool is_blocked = result.exit_code == 9;
  CHECK((totals.stuck || is_blocked || std::to_string(totals.turns) == plan.rounds));
  return totals;
}

TEST_CASE("session: the cache misses nothing, and every call is valid") {
  const Json& row = plan.row;
  const std::string mode = text_of(row, "mode", "grammar");
  Totals totals = play(row, mode);
  // Without a grammar, noise may end inside a character, and the server's stream omits that token.
  for (int more = 0; mode == "unconstrained" && totals.evaluated_twice > 0 && more < 4; ++more) {
    totals = play(row, mode);
  }
  CHECK(totals.format == family_of(row));
  CHECK(totals.wrong_prefixes == 0);
  CHECK(totals.evaluated_twice == 0);
  if (mode == "grammar") {
    CHECK(totals.calls > 0);
    CHECK_MESSAGE(totals.calls == totals.valid_calls, totals.not_valid);
  }
  fmt::print("{:<24} {:<42} {:<13} {:>3} {:>6} {:>5} {:>7} {:>6}\n", text_of(row, "name"),
             text_of(row, "template"), mode, totals.turns, totals.calls, totals.valid_calls,
             totals.first_prompt, totals.evaluated_twice);
}

int run(const std::vector<std::string>& args) {
  if (args.size() == 1 && (args[0] == "-rows" || args[0] == "-all")) {
    for (const Json& row : sessions()) {
      if (args[0] == "-all" || truth_of(row, "default")) fmt::print("{}\n", text_of(row, "name"));
    }
    return 0;
  }
  if (args.size() >= 2 && args[0].starts_with('-')) {
    const Json row = row_named(sessions(), args[1]);
    if (args[0] == "-tokens") {
      print_tokens(row);
    } else if (args[0] == "-template" && args.size() == 3) {
      fmt::print("{}", edited_template(likeness_of(row), args[2]));
    } else if (args[0] == "-model") {
      fmt::print(
          "{}\n{}\n{}\n", text_of(row, "template"),
          text_of(row, "vocabulary", text_of(likeness_of(row), "vocabulary", "deepseek-coder")),
          text_of(row, "pre"));
    }
    return 0;
  }
  if (args.empty() || args.size() > 2) {
    fmt::print(stderr,
               "usage: family_session_test ROW [ROUNDS] | -rows | -all | -model ROW | -tokens ROW "
               "| -template ROW FILE\n");
    return 2;
  }
  plan.row = row_named(sessions(), args[0]);
  if (args.size() == 2) plan.rounds = args[1];
  doctest::Context context;
  context.setOption("minimal", true);
  return context.run();
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  return pedro::run({argv + 1, argv + argc});
}
