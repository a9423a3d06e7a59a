#include <doctest/doctest.h>

#include "diagnostics/edit_reporter.h"
#include "diagnostics/language_servers.h"
#include "support/temp_folder.h"

namespace pedro::diagnostics {
namespace {

// A project with one server for "*.own", or the built-in ones.
struct Servers {
  TempFolder folder;
  RealProcessRunner commands;
  RealProcessRunner runner;  // of the server
  CancelToken cancel;
  std::vector<std::string> notices;
  int places = 0;
  bool is_suitable = true;  // the project, for the server
  LanguageServers servers;
  EditReporter reporter;

  explicit Servers(std::vector<ServerRow> rows)
      : servers(
            std::move(rows),
            [this](const ServerRow&) {
              ++places;
              return Result<ProcessRunner*>(is_suitable ? &runner : nullptr);
            },
            commands, folder.path(), [this](const std::string& text) { notices.push_back(text); }),
        reporter({}, commands, folder.path(),
                 [this](const std::string& text) { notices.push_back(text); }) {
    reporter.use_servers(servers);
  }
  std::string report(const FileEdit& edit) {
    const auto text = reporter.report(edit, cancel);
    REQUIRE(text.ok());
    return *text;
  }
};

std::vector<ServerRow> shell_server(const std::string& script) {
  return {{"own", {{*Glob::parse("*.own"), "own"}}, {"sh", "-c", script}, {}}};
}

// A shell function that writes one frame, and the answer to `initialize`.
const std::string kFrames =
    "frame() { printf 'Content-Length: %d\\r\\n\\r\\n%s' ${#1} \"$1\"; }\n"
    "frame '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"capabilities\":{}}}'\n";

}  // namespace

TEST_CASE("language servers: clangd finds the errors that an edit introduces") {
  Servers servers(builtin_servers());
  if (servers.commands.find("clangd").empty()) {
    MESSAGE("not installed: clangd");
    return;
  }
  servers.folder.write("compile_flags.txt", "-std=c++20\n");
  const std::string old_text = "int f() { return missing; }\nint g() { return 1; }\n";
  const std::string text = "int f() { return missing; }\nint g() { return one; }\n";
  servers.folder.write("a b.cc", text);
  std::string report;  // a slow machine may need more than one question
  for (int i = 0; i < 3 && report.empty(); ++i) report = servers.report({"a b.cc", old_text, text});
  CHECK(report.starts_with("This edit introduces:\na b.cc:2: "));
  CHECK(report.find("'one'") != report.npos);
  CHECK(report.find("missing") == report.npos);
  CHECK(servers.report({"a b.cc", text, old_text}).empty());
  CHECK(servers.notices.empty());
  CHECK(servers.places == 1);
}

TEST_CASE("language servers: hostile servers are dropped with one notice") {
  struct Row {
    const char* name;
    std::string script;
    const char* reason;
  };
  const Row rows[] = {
      {"dies", "echo gone >&2; exit 3", "exit code 3: gone"},
      {"a frame of 100 MB", "printf 'Content-Length: 104857600\\r\\n\\r\\n'; cat >/dev/null",
       "writes a frame of 104857600 bytes, the limit is 4194304"},
      {"a frame without its length", "printf 'Hello: you\\r\\n\\r\\n'; cat >/dev/null",
       "writes a frame without its length"},
      {"a length that is no number", "printf 'Content-Length: -5\\r\\n\\r\\n'; cat >/dev/null",
       "writes a frame without its length"},
      {"an endless header", "yes | tr -d '\\n'", "wrote a line of more than 4 MiB"},
      {"no JSON", "printf 'Content-Length: 3\\r\\n\\r\\nabc'; cat >/dev/null",
       "writes a message that is not JSON"},
      {"deep JSON",
       "printf 'Content-Length: 100000\\r\\n\\r\\n'; yes '[' | tr -d '\\n' | head -c 100000; cat "
       ">/dev/null",
       "writes a message that is not JSON"},
      {"a flood of messages", kFrames + "while :; do frame '{\"method\":\"x\"}'; done",
       "answers with a flood of messages"},
      {"a refusal",
       "frame() { printf 'Content-Length: %d\\r\\n\\r\\n%s' ${#1} \"$1\"; }\n"
       "frame '{\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}'; cat >/dev/null",
       "refuses to start"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    Servers servers(shell_server(row.script));
    for (int i = 0; i < 3; ++i) CHECK(servers.report({"a.own", "old\n", "new\n"}).empty());
    REQUIRE(servers.notices.size() == 1);
    CAPTURE(servers.notices[0]);
    CHECK(servers.notices[0].find("language server 'own' failed and is not used again") !=
          std::string::npos);
    CHECK(servers.notices[0].find(row.reason) != std::string::npos);
    CHECK(servers.places == 1);
  }
}

TEST_CASE("language servers: a silent server answers nothing in time") {
  TempFolder folder;
  RealProcessRunner runner;
  const CancelToken cancel;
  const auto rows = shell_server("cat >/dev/null");
  const auto server = LanguageServer::start(rows[0], runner, folder.path(), cancel);
  REQUIRE(server.ok());
  const auto found = (*server)->check("a.own", "own", "text\n", 0.1, cancel);
  REQUIRE(found.ok());
  CHECK_FALSE(found->has_value());
}

TEST_CASE("language servers: none starts for another language or an unsuitable project") {
  Servers servers(shell_server("exit 1"));
  CHECK(servers.report({"a.other", "old\n", "new\n"}).empty());
  CHECK(servers.places == 0);
  servers.is_suitable = false;
  for (int i = 0; i < 3; ++i) CHECK(servers.report({"a.own", "old\n", "new\n"}).empty());
  CHECK(servers.places == 1);
  CHECK(servers.notices.empty());
}

TEST_CASE("language servers: only errors of the file, with the server's requests answered") {
  // It publishes the first version when its own question is answered.
  const std::string publish =
      "publish() { frame \"{\\\"method\\\":\\\"textDocument/publishDiagnostics\\\",\\\"params\\\":{"
      "\\\"uri\\\":\\\"file://$PWD/a.own\\\",\\\"version\\\":$1,\\\"diagnostics\\\":[$2]}}\"; }\n"
      "one() { echo \"{\\\"range\\\":{\\\"start\\\":{\\\"line\\\":$1}},\\\"severity\\\":$2,"
      "\\\"message\\\":\\\"$3\\\"}\"; }\n";
  Servers servers(shell_server(
      kFrames + publish +
      "frame '{\"id\":7,\"method\":\"workspace/configuration\",\"params\":{\"items\":[{},{}]}}'\n"
      "while read -r line; do case $line in\n"
      "*'\"id\":7,\"result\":[null,null]'*) publish 1 \"$(one 0 1 old)\";;\n"
      "*didChange*) publish 1 \"$(one 0 1 stale)\"; publish 2 \"$(one 0 1 old),$(one 1 2 warning),"
      "$(one 1 1 fresh)\";;\n"
      "esac; done"));
  const std::string report = servers.report({"a.own", "x\n", "x\ny\n"});
  CHECK(report == "This edit introduces:\na.own:2: fresh\n");
  CHECK(servers.notices.empty());
}

}  // namespace pedro::diagnostics
