#include "base/json.h"
#include "base/text.h"
#include "tools/result_readers.h"

namespace pedro {
namespace {

std::string_view first_word(std::string_view text) {
  text = trim(text);
  return text.substr(0, text.find_first_of(" \t"));
}

}  // namespace

bool CompiledResults::read(std::string_view line, ResultTally& tally) {
  return read_go_json(line, tally) || read_go(line, tally) || read_cargo(line, tally);
}

// "--- FAIL: TestA (0.00s)", "FAIL", "FAIL\texample.com/p\t0.002s", "ok  \texample.com/q\t0.001s"
bool CompiledResults::read_go(std::string_view line, ResultTally& tally) {
  const std::string_view text = trim(line);
  if (text.starts_with("=== RUN")) {
    go_verbose_ = true;
  } else if (text.starts_with("--- FAIL: ")) {
    go_failed_.emplace_back(first_word(text.substr(10)));
    ++go_tests_;
  } else if (text.starts_with("--- PASS: ")) {
    ++go_tests_;
  } else if (line == "FAIL" || line == "PASS") {
    go_ended_ = true;
  } else if (line.starts_with("FAIL\t")) {
    end_go_package(first_word(line.substr(5)), tally);
  } else if (line.starts_with("ok  \t")) {
    end_go_package(first_word(line.substr(5)), tally);
  } else {
    return false;
  }
  return true;
}

// A package that stopped early names only some of its failures.
void CompiledResults::end_go_package(std::string_view package, ResultTally& tally) {
  if (!go_failed_.empty() && !go_ended_) tally.is_certain = false;
  for (const std::string& test : go_failed_) tally.add(std::string(package) + "::" + test);
  tally.failures += static_cast<long long>(go_failed_.size());
  go_failed_.clear();
  go_ended_ = false;
}

// {"Action":"fail","Package":"example.com/p","Test":"TestA","Elapsed":0}
bool CompiledResults::read_go_json(std::string_view line, ResultTally& tally) {
  if (!line.starts_with('{') || line.find("\"Action\":") == line.npos) return false;
  const auto event = parse_json(line);
  if (!event || !event->is_object()) return false;
  const std::string action = text_of(*event, "Action");
  const std::string test = text_of(*event, "Test");
  const std::string package = text_of(*event, "Package");
  const bool failed = action == "fail";
  go_verbose_ = true;
  if (action == "build-fail") tally.is_certain = false;
  if (action == "output" && test.empty()) {
    go_ended_ = go_ended_ || text_of(*event, "Output") == "FAIL\n";
  }
  if (!failed && action != "pass") return true;
  if (!test.empty()) {
    ++go_tests_;
    if (failed) tally.add(package + "::" + test);
    if (failed) ++tally.failures;
  } else if (failed) {
    if (!go_ended_) tally.is_certain = false;
    go_ended_ = false;
  }
  return true;
}

// "test a::b ... FAILED", "test result: FAILED. 2 passed; 1 failed; 0 ignored; ..."
bool CompiledResults::read_cargo(std::string_view line, ResultTally& tally) {
  if (line.starts_with("test result: ")) {
    tally.count(count_before(line, " failed"), count_before(line, " passed"));
  } else if (line.starts_with("test ") && line.ends_with(" ... FAILED")) {
    tally.add(line.substr(5, line.size() - 5 - 11));
  } else if (line.starts_with("error: test failed, to rerun pass") ||
             line.starts_with("error: doctest failed, to rerun pass")) {
    ++cargo_failed_targets_;
  } else if (line.starts_with("error: ") && (line.find(" target failed:") != line.npos ||
                                             line.find(" targets failed:") != line.npos)) {
    cargo_summed_up_ = true;
  } else {
    return false;
  }
  return true;
}

void CompiledResults::finish(ResultTally& tally) {
  // Without -v, tests that pass are not printed.
  if (go_verbose_) tally.ran += go_tests_;
  if (!go_failed_.empty()) tally.is_certain = false;
  if (cargo_failed_targets_ > 0 && !cargo_summed_up_) tally.is_certain = false;
}

}  // namespace pedro
