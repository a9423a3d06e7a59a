#include <algorithm>

#include "base/text.h"
#include "tools/result_readers.h"
#include "tools/run_noise.h"

namespace pedro {
namespace {

std::string_view without_prefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : "";
}

// "3 - the cart adds up # SKIP later" -> "the cart adds up"
std::string_view tap_name(std::string_view rest) {
  rest = trim(rest);
  while (!rest.empty() && is_digit(rest[0])) rest.remove_prefix(1);
  rest = trim(rest);
  if (rest.starts_with("- ")) rest.remove_prefix(2);
  return trim(rest.substr(0, rest.find(" # ")));
}

// "✖ the cart (1.2ms)" -> "the cart"
std::string node_name(std::string_view text) {
  return without_run_noise(text.substr(0, text.rfind(" (")));
}

}  // namespace

bool JavascriptResults::read(std::string_view line, ResultTally& tally) {
  return read_mocha(line, tally) || read_node_summary(line) || read_tap(line) || read_node(line) ||
         read_vitest(line, tally) || read_jest(line, tally);
}

// "not ok 1 - name", "    ok 2 - name # SKIP", "1..3", "  type: 'suite'"
bool JavascriptResults::read_tap(std::string_view line) {
  const std::string_view text = trim(line);
  const bool is_nested = line.starts_with(' ');
  if (text == "type: 'suite'" && is_last_failure_) {  // node does not count suites
    tap_failures_.pop_back();
    is_last_failure_ = false;
    return true;
  }
  if (const auto plan = without_prefix(line, "1.."); !plan.empty()) {
    tap_planned_ = std::max(tap_planned_, 0LL) + count_after(line, "1..");
    return true;
  }
  const bool failed = text.starts_with("not ok ");
  if (!failed && !text.starts_with("ok ")) return false;
  const std::string lower = to_lower(text);
  if (!is_nested) ++tap_results_;
  if (!is_nested && lower.find("# skip") != lower.npos) ++tap_skipped_;
  is_last_failure_ = failed && lower.find("# todo") == lower.npos;
  if (is_last_failure_) {
    tap_failures_.push_back({std::string(tap_name(text.substr(7))), is_nested});
  }
  return true;
}

// "# pass 2", "ℹ fail 1", "✖ failing tests:"
bool JavascriptResults::read_node_summary(std::string_view line) {
  if (line == "✖ failing tests:") return is_repeating_ = true;
  std::string_view text = without_prefix(line, "# ");
  if (text.empty()) text = without_prefix(line, "ℹ ");
  const std::string_view word = text.substr(0, text.find(' '));
  if (word == "pass") {
    has_node_summary_ = true;
    node_passed_ += count_after(text, "pass");
  } else if (word == "fail" || word == "cancelled") {
    node_failed_ += count_after(text, word);
  } else {
    return false;
  }
  return true;
}

// "▶ suite", "  ✖ name (1.2ms)", "✖ suite (3ms)"
bool JavascriptResults::read_node(std::string_view line) {
  const std::size_t indentation = std::min(line.find_first_not_of(' '), line.size());
  const std::string_view text = line.substr(indentation);
  const std::string before(line.substr(0, indentation));
  if (const auto suite = without_prefix(text, "▶ "); !suite.empty()) {
    node_open_.push_back(before + std::string(suite));
    return true;
  }
  const bool failed = text.starts_with("✖ ");
  if (is_repeating_ || (!failed && !text.starts_with("✔ "))) return false;
  const std::string name = node_name(text.substr(text.find(' ') + 1));
  if (!node_open_.empty() && node_open_.back() == before + name) {
    node_open_.pop_back();
  } else if (failed) {
    node_names_.push_back(name);
  }
  return true;
}

// "FAIL a.test.js", "  ● suite › name", "Tests:       1 failed, 2 passed, 3 total"
bool JavascriptResults::read_jest(std::string_view line, ResultTally& tally) {
  if (line.starts_with("FAIL ") || line.starts_with("PASS ")) {
    jest_file_ = line.substr(5);
  } else if (const auto name = without_prefix(line, "  ● "); !name.empty()) {
    const std::string whole = jest_file_ + " › " + std::string(name);
    if (!jest_file_.empty() && jest_names_.insert(whole).second) tally.add(whole);
  } else if (line.starts_with("Tests: ") && line.find(" total") != line.npos) {
    tally.count(count_before(line, " failed"), count_before(line, " passed"));
  } else {
    return false;
  }
  return true;
}

// " FAIL  a.spec.mjs > suite > name", "      Tests  3 failed | 1 passed | 1 skipped (5)"
bool JavascriptResults::read_vitest(std::string_view line, ResultTally& tally) {
  if (const auto name = without_prefix(line, " FAIL  "); !name.empty()) {
    tally.add(trim(name));
    return true;
  }
  const std::string_view text = trim(line);
  if (!text.starts_with("Tests  ") || !text.ends_with(")")) return false;
  tally.count(count_before(text, " failed"), count_before(text, " passed"));
  return true;
}

// "  2 failing", "  1) cart", "       total adds:"
bool JavascriptResults::read_mocha(std::string_view line, ResultTally& tally) {
  const std::string_view text = trim(line);
  if (line.starts_with("  ") && !text.empty() && is_digit(text[0])) {
    const std::string_view after =
        text.substr(std::min(text.find_first_not_of("0123456789"), text.size()));
    if (after.starts_with(" passing (")) {
      tally.ran += count_before(text, " passing");
      return true;
    }
    if (after == " failing") {
      tally.count(count_before(text, " failing"), 0);
      return in_mocha_list_ = true;
    }
    if (in_mocha_list_ && after.starts_with(") ")) {
      mocha_name_ = after.substr(2);
    }
  } else if (in_mocha_list_ && !mocha_name_.empty() && !text.empty()) {
    mocha_name_ += " › " + std::string(text);
  }
  if (!in_mocha_list_ || !mocha_name_.ends_with(':')) return false;
  mocha_name_.pop_back();
  tally.add(mocha_name_);
  mocha_name_.clear();
  return true;
}

// A TAP producer without a summary is complete if it printed its plan.
void JavascriptResults::finish_tap(ResultTally& tally) {
  if (tap_planned_ < 0) return;
  std::erase_if(tap_failures_, [](const TapFailure& failure) { return failure.is_nested; });
  for (const TapFailure& failure : tap_failures_) tally.add(failure.name);
  const auto failed = static_cast<long long>(tap_failures_.size());
  tally.count(failed, tap_results_ - tap_skipped_ - failed);
  if (tap_results_ != tap_planned_) tally.is_certain = false;
}

void JavascriptResults::finish(ResultTally& tally) {
  if (!has_node_summary_) return finish_tap(tally);
  for (const std::string& name : node_names_) tally.add(name);
  for (const TapFailure& failure : tap_failures_) tally.add(failure.name);
  tally.count(node_failed_, node_passed_);
}

}  // namespace pedro
