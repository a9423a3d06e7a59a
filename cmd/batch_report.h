#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "batch_run.h"

namespace pedro {

/// The results of a batch in four forms. Texts of jobs are made printable by TaskRecord's reader.
struct BatchReport {
  std::string name;                   ///< of the batch file
  std::string state;                  ///< path of the state, for a reader
  std::vector<TaskOutcome> outcomes;  ///< in order of the lines

  std::size_t succeeded() const;
  std::size_t not_run() const;
  /// Returns the number of tasks that ended without success.
  std::size_t failed() const { return outcomes.size() - succeeded() - not_run(); }
};

/// Formats a table for a terminal, with totals below it.
std::string to_table(const BatchReport& report);

/// Formats a JSON line `batch.task` per task, and `batch.completed` with the totals.
std::string to_json_lines(const BatchReport& report);

/// Formats JUnit XML (https://github.com/testmoapp/junitxml), a testcase per task. A task that a
/// further run of the batch would continue is an `error`, any other without success a `failure`.
std::string to_junit(const BatchReport& report);

/// Renders a page for a browser, see html_page().
std::string to_page(const BatchReport& report);

}  // namespace pedro
