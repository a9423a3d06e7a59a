// Tests small repositories, with and without the tools of their ecosystem: the chosen check, its
// result before the work, and the exit code of a job that adds a file.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

struct CheckFile {
  const char* path;
  const char* bytes;
};

struct CheckRow {
  const char* name;
  std::vector<CheckFile> files;
  std::vector<std::string> tools;  // in addition to kBase
  std::string checks;              // the findings of doctor, one per line
  int exit_code = 0;
};

// The usual shell programs.
constexpr const char* kBase[] = {"sh",   "bash",  "env",   "git",  "cat",    "grep",   "sed",
                                 "ls",   "rm",    "mkdir", "cp",   "mktemp", "touch",  "tr",
                                 "expr", "uname", "sleep", "sort", "head",   "dirname"};

constexpr const char* kUnittest =
    "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n"
    "        self.assertEqual(1, 1)\n";
constexpr const char* kPytest = "def test_a():\n    assert 1 == 1\n";
constexpr const char* kCmake =
    "cmake_minimum_required(VERSION 3.20)\nproject(p C)\nadd_executable(t t.c)\n";
constexpr const char* kAddTest = "enable_testing()\nadd_test(NAME t COMMAND t)\n";
constexpr const char* kMeson = "project('p', 'c')\ntest('t', executable('t', 't.c'))\n";
constexpr const char* kProgram = "int main(void) { return 0; }\n";
constexpr const char* kNpm =
    R"({"name": "p", "version": "1.0.0", "scripts": {"test": "node t.js"}})";
constexpr const char* kGo = "package p\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n";
const std::vector<std::string> kCompiler = {"cc", "gcc",  "ld",    "as",
                                            "ar", "make", "cmake", "ctest"};

// Fills a folder with only these programs. "no-pytest" is a Python without that module. Returns
// false if a program is missing on this machine.
bool make_tools(Program& bench, const CheckRow& row) {
  std::vector<std::string> names(std::begin(kBase), std::end(kBase));
  names.insert(names.end(), row.tools.begin(), row.tools.end());
  std::filesystem::create_directories(bench.folder.at("tools"));
  bench.extra_environment["PATH"] = bench.folder.at("tools");
  if (const char* home = std::getenv("HOME")) {  // rustup's programs are links to it
    const std::string rustup = home + std::string("/.rustup");
    const std::string cargo = home + std::string("/.cargo/bin");
    bench.extra_environment["RUSTUP_HOME"] = rustup;
    bench.extra_environment["PEDROCLI_SANDBOX_READ"] = "[\"" + rustup + "\", \"" + cargo + "\"]";
  }
  for (const std::string& name : names) {
    if (name == "no-pytest") {
      const std::string folder = bench.folder.at("venv");
      const Command venv{.argv = {"/usr/bin/python3", "-m", "venv", "--without-pip", folder}};
      const auto made = bench.processes.run(venv, bench.cancel);
      if (!made || !made->ok()) return false;
      bench.extra_environment["PATH"] += ":" + folder + "/bin";
      continue;
    }
    std::string path = "/usr/bin/" + name;
    if (!std::filesystem::exists(path)) path = RealProcessRunner().find(name);
    if (path.empty()) return false;
    std::filesystem::create_symlink(path, bench.folder.at("tools/" + name));
  }
  return true;
}

std::string findings(Program& bench) {
  const ProcessResult result = bench.run({"doctor", "-json", "-model-url", "http://127.0.0.1:1"});
  std::string text;
  for (const std::string_view line : split_lines(result.out)) {
    const auto finding = parse_json(line);
    if (finding && text_of(*finding, "what") == "checks") text += text_of(*finding, "text") + "\n";
  }
  return replace_all(text, bench.folder.path() + "/", "");
}

int exit_code_of_job(Program& bench) {
  const std::string work = call("bash", {{"action", "run"}, {"command", "echo x > notes.txt"}});
  const ProcessResult result =
      bench.run({"build", "-description", "Add notes", "-backend", "manual"},
                typed({kAnalyzed, kPlanned, work, kDone, kDelivered, kDelivered, kDelivered}));
  CAPTURE(result.err);
  CAPTURE(result.out);
  return result.exit_code;
}

void expect(const CheckRow& row) {
  CAPTURE(row.name);
  Program bench;
  bench.extra_environment["PEDROCLI_MODEL_MAX_RETRIES"] = "0";
  for (const CheckFile& file : row.files)
    bench.folder.write(std::string("project/") + file.path, file.bytes);
  bench.commit_project();
  if (!make_tools(bench, row)) {
    MESSAGE("skipped: ", row.name, " (its tools are not on this machine)");
    return;
  }
  CHECK(findings(bench) == row.checks);
  bench.git({"reset", "-q", "--hard"});
  bench.git({"clean", "-qfdx"});
  CHECK(exit_code_of_job(bench) == row.exit_code);
}

}  // namespace

TEST_CASE("check table: Python") {
  for (const CheckRow& row : {
           CheckRow{"unittest without pytest",
                    {{"test_a.py", kUnittest}},
                    {"no-pytest"},
                    "`python3 -m pytest -q` (from test_*.py) is not a check here: "
                    "venv/bin/python3: No module named pytest\n"
                    "`python3 -m unittest -q` (from test_a.py): passes\n",
                    0},
           CheckRow{"pytest",
                    {{"test_a.py", kPytest}},
                    {"python3"},
                    "`python3 -m pytest -q` (from test_*.py): passes\n",
                    0},
           CheckRow{
               "pytest is missing",
               {{"test_a.py", kPytest}},
               {"no-pytest"},
               "`python3 -m pytest -q` (from test_*.py) is not a check here: venv/bin/python3: No "
               "module named pytest\n"
               "none found: results cannot be verified; name them in 'checks' or with -test-cmd\n",
               5},
           CheckRow{
               "no Python",
               {{"test_a.py", kUnittest}},
               {},
               "`python3 -m pytest -q` (from test_*.py) is not a check here: sh: 1: python3: not "
               "found\n"
               "`python3 -m unittest -q` (from test_a.py) is not a check here: sh: 1: python3: not "
               "found\n"
               "none found: results cannot be verified; name them in 'checks' or with -test-cmd\n",
               5},
       }) {
    expect(row);
  }
}

TEST_CASE("check table: C") {
  for (const CheckRow& row : {
           CheckRow{"CTest",
                    {{"CMakeLists.txt",
                      "cmake_minimum_required(VERSION 3.20)\nproject(p C)\nadd_executable(t "
                      "t.c)\nenable_testing()\nadd_test(NAME t COMMAND t)\n"},
                     {"t.c", kProgram},
                     {".gitignore", "build\n"}},
                    kCompiler,
                    "`cmake -S . -B build && cmake --build build && ctest --test-dir build "
                    "--output-on-failure --no-tests=error` (from CMakeLists.txt): passes\n",
                    0},
           CheckRow{"CTest without tests",
                    {{"CMakeLists.txt", kCmake}, {"t.c", kProgram}, {".gitignore", "build\n"}},
                    kCompiler,
                    "`cmake -S . -B build && cmake --build build && ctest --test-dir build "
                    "--output-on-failure --no-tests=error` (from CMakeLists.txt) is not a check "
                    "here: No tests were found!!!\n"
                    "`cmake -S . -B build && cmake --build build` (from CMakeLists.txt): passes\n",
                    0},
           CheckRow{
               "no CMake",
               {{"CMakeLists.txt", kCmake}, {"t.c", kProgram}},
               {},
               "`cmake -S . -B build && cmake --build build && ctest --test-dir build "
               "--output-on-failure --no-tests=error` (from CMakeLists.txt) is not a check here: "
               "sh: 1: cmake: not found\n"
               "`cmake -S . -B build && cmake --build build` (from CMakeLists.txt) is not a check "
               "here: sh: 1: cmake: not found\n"
               "none found: results cannot be verified; name them in 'checks' or with -test-cmd\n",
               5},
           CheckRow{"Meson",
                    {{"meson.build", kMeson}, {"t.c", kProgram}, {".gitignore", "build\n"}},
                    {"cc", "gcc", "ld", "as", "ar", "meson", "ninja", "python3"},
                    "`{ test -d build || meson setup build; } && meson test -C build "
                    "--print-errorlogs` (from meson.build): passes\n",
                    0},
       }) {
    expect(row);
  }
}

TEST_CASE("check table: others") {
  for (const CheckRow& row : {
           CheckRow{"Makefile",
                    {{"Makefile", "test:\n\ttest -e Makefile\n"}},
                    {"make"},
                    "`make test` (from Makefile): passes\n",
                    0},
           CheckRow{
               "Makefile without make",
               {{"Makefile", "test:\n\ttest -e Makefile\n"}},
               {},
               "`make test` (from Makefile) is not a check here: sh: 1: make: not found\n"
               "none found: results cannot be verified; name them in 'checks' or with -test-cmd\n",
               5},
           CheckRow{"npm",
                    {{"package.json", kNpm}, {"t.js", "1;\n"}},
                    {"npm", "node"},
                    "`npm test` (from package.json): passes\n",
                    0},
           CheckRow{
               "no npm",
               {{"package.json", kNpm}, {"t.js", "1;\n"}},
               {},
               "`npm test` (from package.json) is not a check here: sh: 1: npm: not found\n"
               "none found: results cannot be verified; name them in 'checks' or with -test-cmd\n",
               5},
           CheckRow{
               "Cargo",
               {{"Cargo.toml",
                 "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
                {"Cargo.lock", "version = 3\n\n[[package]]\nname = \"p\"\nversion = \"0.1.0\"\n"},
                {"src/lib.rs", "#[test]\nfn a() {}\n"},
                {".gitignore", "target\n"}},
               {"cargo", "rustc", "rustdoc", "cc", "gcc", "ld", "as"},
               "`cargo test --no-fail-fast` (from Cargo.toml): passes\n",
               0},
           CheckRow{
               "no Cargo",
               {{"Cargo.toml", "[package]\nname = \"p\"\n"}},
               {},
               "`cargo test --no-fail-fast` (from Cargo.toml) is not a check here: sh: 1: cargo: "
               "not found\n"
               "none found: results cannot be verified; name them in 'checks' or with -test-cmd\n",
               5},
           CheckRow{
               "Go",
               {{"go.mod", "module p\n\ngo 1.19\n"}, {"p.go", "package p\n"}, {"p_test.go", kGo}},
               {"go", "cc", "gcc", "ld", "as"},
               "`go build -o /dev/null ./... && go test ./...` (from go.mod): passes\n",
               0},
           CheckRow{
               "no Go",
               {{"go.mod", "module p\n\ngo 1.20\n"}, {"p_test.go", kGo}},
               {},
               "`go build -o /dev/null ./... && go test ./...` (from go.mod) is not a check here: "
               "sh: 1: go: not found\n"
               "none found: results cannot be verified; name them in 'checks' or with -test-cmd\n",
               5},
           CheckRow{"a shell script",
                    {{"run-tests.sh", "test -e run-tests.sh\n"}},
                    {},
                    "`sh run-tests.sh` (from run-tests.sh): passes\n",
                    0},
           CheckRow{
               "no check at all",
               {{"a.txt", "a\n"}},
               {},
               "none found: results cannot be verified; name them in 'checks' or with -test-cmd\n",
               5},
           CheckRow{"red before the work",
                    {{"Makefile", "test:\n\ttest -e missing\n"}},
                    {"make"},
                    "`make test` (from Makefile): fails, exit 2\n",
                    6},
           CheckRow{"flaky",
                    {{"Makefile", "test:\n\ttest -e seen || { touch seen; exit 1; }\n"},
                     {".gitignore", "seen\n"}},
                    {"make"},
                    "`make test` (from Makefile): fails, exit 2\n",
                    5},
       }) {
    expect(row);
  }
}

}  // namespace pedro
