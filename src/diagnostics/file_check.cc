#include "diagnostics/file_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/embedded_file.h"
#include "base/text.h"
#include "sys/file_system.h"

namespace pedro {

extern const EmbeddedFile kFileChecks[];

namespace diagnostics {
namespace {

constexpr std::size_t kMaxChecks = 64;
constexpr std::size_t kMaxDiagnostics = 1000;
constexpr std::size_t kMaxCheckOutputBytes = 64u << 10;
constexpr double kCheckTimeout_s = 10;
constexpr std::size_t kMaxLineDigits = 9;

Result<FileCheck> read_check(const Json& row) {
  FileCheck check;
  check.name = text_of(row, "name");
  if (check.name.empty()) return config_error("name: expected a text");
  for (const std::string& pattern : texts_of(member(row, "files"))) {
    const Result<Glob> glob = Glob::parse(pattern);
    if (!glob) return config_error("files: " + glob.error().message);
    check.files.push_back(*glob);
  }
  if (check.files.empty()) return config_error("files: expected a list of patterns");
  check.argv = texts_of(member(row, "command"));
  if (check.argv.empty() && check.name != "json") {
    return config_error("command: expected a list: the program and its arguments");
  }
  check.marker = text_of(row, "marker");
  check.only = texts_of(member(row, "only"));
  check.gives_up = text_of(row, "gives_up");
  check.syntax = truth_of(row, "syntax");
  return check;
}

// Reads "12:5: message" after the marker. Returns nullopt for a line without a number there.
std::optional<Diagnostic> read_line_of(const FileCheck& check, std::string_view line) {
  const std::size_t at = line.find(check.marker);
  if (at == line.npos) return std::nullopt;
  std::string_view rest = line.substr(at + check.marker.size());
  const auto digits = [&] {
    std::size_t count = 0;
    while (count < rest.size() && is_digit(rest[count])) ++count;
    return count;
  };
  const std::size_t count = digits();
  if (count == 0 || count > kMaxLineDigits) return std::nullopt;
  const std::size_t number = number_from<std::size_t>(rest.substr(0, count)).value_or(1);
  rest.remove_prefix(count);
  if (rest.starts_with(':')) {
    rest.remove_prefix(1);
    const std::size_t column = digits();
    if (column > 0 && rest.substr(column).starts_with(':')) rest.remove_prefix(column + 1);
  }
  std::string_view message = trim(rest);
  if (message.empty()) message = trim(line.substr(0, at));
  return Diagnostic{std::max<std::size_t>(number, 1), std::string(message)};
}

// Finds nothing in JSON with comments, a common form of settings.
std::vector<Diagnostic> parse_as_json(std::string_view text) {
  if (trim(text).empty()) return {};
  const Result<Json> parsed = parse_json(text);
  if (parsed) return {};
  for (const std::string_view line : split_lines(text)) {
    if (trim(line).starts_with("//") || trim(line).starts_with("/*")) return {};
  }
  const FileCheck form;  // "line:column: reason"
  const auto found = read_line_of(form, parsed.error().message);
  return {found.value_or(Diagnostic{1, parsed.error().message})};
}

}  // namespace

bool FileCheck::checks(std::string_view path) const {
  return std::ranges::any_of(files, [&](const Glob& glob) { return glob.matches(path); });
}

Result<std::vector<FileCheck>> read_file_checks(std::string_view place, const Json& rows) {
  std::vector<FileCheck> checks;
  for (const Json& row : rows) {
    const auto where = fmt::format("{}: on_edit: row {}", place, checks.size() + 1);
    if (checks.size() == kMaxChecks) {
      return config_error(fmt::format("{}: expected at most {} rows", where, kMaxChecks));
    }
    Result<FileCheck> check = read_check(row);
    if (!check) return check.error().at(where);
    checks.push_back(*std::move(check));
  }
  return checks;
}

std::vector<FileCheck> builtin_file_checks() {
  const Result<Json> rows = parse_json(kFileChecks[0].bytes);
  assert(rows.ok());
  auto checks = read_file_checks("on_edit.json", *rows);
  assert(checks.ok());
  return *std::move(checks);
}

std::optional<std::vector<Diagnostic>> read_output(const FileCheck& check,
                                                   std::string_view output) {
  if (!check.gives_up.empty() && output.find(check.gives_up) != output.npos) return std::nullopt;
  std::vector<Diagnostic> found;
  for (const std::string_view line : split_lines(output)) {
    auto one = read_line_of(check, line);
    if (!one || one->message.empty()) continue;
    const auto begins = [&](const std::string& start) { return one->message.starts_with(start); };
    if (!check.only.empty() && std::ranges::none_of(check.only, begins)) continue;
    const bool is_repeated = std::ranges::find(found, *one) != found.end();
    if (!is_repeated) found.push_back(*std::move(one));
    if (found.size() == kMaxDiagnostics) break;
  }
  return found;
}

Result<std::optional<std::vector<Diagnostic>>> run_file_check(
    const FileCheck& check, const std::string& folder, const std::string& path,
    const std::string& text, ProcessRunner& commands, const CancelToken& cancel) {
  if (check.argv.empty()) return std::optional(parse_as_json(text));
  Command command{.argv = check.argv, .folder = folder, .input = text};
  const std::string own_folder = join_path(folder, std::string(folder_name(path)));
  for (std::string& word : command.argv) word = replace_all(word, "{folder}", own_folder);
  command.timeout_s = kCheckTimeout_s;
  command.max_output_bytes = kMaxCheckOutputBytes;
  command.merge_streams = true;
  command.environment = {{"LC_ALL", "C"}};
  PEDRO_TRY(const ProcessResult result, commands.run(command, cancel));
  if (result.timed_out) {
    return Error{ErrorKind::kModel, fmt::format("did not end in {} s", kCheckTimeout_s)};
  }
  return read_output(check, result.out);
}

}  // namespace diagnostics
}  // namespace pedro
