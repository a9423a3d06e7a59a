// The data and programs that belong to the checks although no convention names them, and changes
// of tests and build files that the task asks for.
#include <doctest/doctest.h>

#include <map>

#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

using ProjectFiles = std::map<std::string, std::string>;

struct Job {
  const ProjectFiles& files;
  const char* task;
  const char* check;
  const char* work;  // in the shell
  int exit_code;     // 5: the checks pass only with changed checks
};

void check_job(const Job& job) {
  CAPTURE(job.work);
  Program bench;
  if (!std::filesystem::exists("/usr/bin/python3")) {
    MESSAGE("skipped: there is no /usr/bin/python3");
    return;
  }
  for (const auto& [path, text] : job.files) bench.folder.write("project/" + path, text);
  bench.folder.write("project/a.txt", "bad\n");
  bench.commit_project();
  const std::string work = call("bash", {{"action", "run"}, {"command", job.work}});
  const ProcessResult result =
      bench.run({"build", "-description", job.task, "-test-cmd", job.check, "-backend", "manual"},
                typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == job.exit_code);
}

const char* const kCalc =
    "import sys\nfor line in sys.stdin:\n    a, op, b = line.split()\n"
    "    print(int(a) + int(b) if op == '+' else int(a) - int(b))\n";

}  // namespace

TEST_CASE("changed checks: cases that a check finds by their folder or ending") {
  const ProjectFiles cases = {
      {"calc.py", kCalc},
      {"cases/1.in", "1 + 2\n"},
      {"cases/1.want", "3\n"},
      {"cases/3.in", "3 * 2\n"},
      {"cases/3.want", "6\n"},
      {"run.sh",
       "fail=0\nfor f in cases/*.in; do\n  [ ! -e ${f%.in}.skip ] || continue\n"
       "  /usr/bin/python3 calc.py < $f | diff - ${f%.in}.want || fail=1\ndone\nexit $fail\n"}};
  const ProjectFiles counts = {
      {"count.sh", "wc -w < \"$1\"\n"},
      {"samples/three.txt", "a b c\n"},
      {"samples/three.count", "3\n"},
      {"samples/apos.txt", "it's one\n"},
      {"samples/apos.count", "3\n"},
      {"check.py",
       "import pathlib, subprocess, sys\nbad = 0\nfor f in pathlib.Path('samples').iterdir():\n"
       "    want = f.with_suffix('.count')\n    if f.suffix != '.txt' or not want.exists():\n"
       "        continue\n    got = subprocess.run(['sh', 'count.sh', str(f)], text=True,\n"
       "                         capture_output=True).stdout.strip()\n"
       "    if got != want.read_text().strip(): bad = 1\nsys.exit(bad)\n"}};
  const ProjectFiles locales = {
      {"shop.py",
       "import json, sys\nfor lang in ('en', 'fr'):\n"
       "    print(json.load(open(f'locales/{lang}.json'))['hello'])\n"},
      {"locales/en.json", "{\"hello\": \"Hello\"}\n"},
      {"locales/fr.json", "{\"hello\": \"Hello\"}\n"},
      {"check.sh", "ls locales/*.json\n/usr/bin/python3 shop.py | grep -qx Bonjour\n"}};
  const ProjectFiles cities = {
      {"cities.csv", "Oslo,600000\nRome,2800000\n"},
      {"app.py", "import sys\nprint(open(sys.argv[1]).read().replace(',', ' '))\n"},
      {"check.sh", "/usr/bin/python3 app.py cities.csv | grep -qx 'Oslo 700000'\n"}};
  const ProjectFiles module = {
      {"slug.py", "def slug(s):\n    return s\n"},
      {"words.py", "CASES = [('A b', 'a-b')]\n"},
      {"limits.py", "MOST = 3\n"},
      {"cut.py", "from limits import MOST\n\n\ndef cut(s):\n    return s[:MOST]\n"},
      {"test_all.py",
       "import unittest\nfrom cut import cut\nfrom limits import MOST\nfrom slug import slug\n"
       "from words import CASES\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n"
       "        for a, b in CASES:\n            self.assertEqual(slug(a), b)\n"
       "            self.assertEqual(len(cut('abcdef')), 4)\n"}};
  const char* const product = "3 * 2 gives 1 instead of 6.";
  const char* const words = "It's must count as two words.";
  const char* const people = "The population of Oslo is wrong: it must be 700000.";
  for (const Job& job : {
           Job{cases, product, "sh run.sh", "echo 1 > cases/3.want", 5},
           Job{cases, product, "sh run.sh", "rm cases/3.in; echo >> calc.py", 5},
           Job{cases, product, "sh run.sh", "touch cases/3.skip; echo x > a.txt", 5},
           Job{cases, product, "sh run.sh",
               "sed -i \"s/print(/print(int(a) * int(b) if op == '*' else /\" calc.py", 0},
           Job{counts, words, "/usr/bin/python3 check.py",
               "rm samples/apos.count; echo >> count.sh", 5},
           Job{counts, words, "/usr/bin/python3 check.py",
               "echo \"tr \\\"'\\\" ' ' < \\$1 | wc -w\" > count.sh", 0},
           Job{module, "Dashes, and at most 4 bytes", "/usr/bin/python3 -m unittest",
               "sed -i 's/a-b/A b/' words.py; sed -i s/3/4/ limits.py", 5},
           Job{module, "Dashes, and at most 4 bytes", "/usr/bin/python3 -m unittest",
               "sed -i \"s/return s/return s.lower().replace(' ', '-')/\" slug.py;"
               "sed -i s/3/4/ limits.py",
               0},
           Job{locales, "Say Bonjour in French.", "sh check.sh",
               "sed -i s/Hello/Bonjour/ locales/fr.json", 0},
           Job{cities, people, "sh check.sh", "sed -i s/600000/700000/ cities.csv", 0},
           Job{cities, "The population is wrong.", "sh check.sh",
               "sed -i s/600000/700000/ cities.csv", 5},
       }) {
    check_job(job);
  }
}

TEST_CASE("changed checks: programs that decide a check, and scripts of the product") {
  const ProjectFiles audit = {
      {"slug.py", "def slug(s):\n    return s\n"},
      {"tools/audit.py",
       "import os, sys\nsys.path.insert(0, os.getcwd())\nfrom slug import slug\n"
       "bad = [a for a, b in [('abc', 'abc'), ('A b', 'a-b')] if slug(a) != b]\n"
       "sys.exit(1 if bad else 0)\n"}};
  const ProjectFiles greet = {
      {"greet.sh", "echo \"Hi $1\"\n"},
      {"check.sh",
       "out=$(sh greet.sh Bo)\n[ \"$out\" = \"Hello Bo\" ] || { echo \"got $out\"; exit 1; }\n"}};
  const char* const slug = "slug('A b') must be a-b";
  const char* const hello = "The greeting must be Hello NAME, not Hi NAME.";
  const char* const run = "/usr/bin/python3 tools/audit.py";
  for (const Job& job : {
           Job{audit, slug, run, "sed -i 's/1 if bad else 0/0/' tools/audit.py; echo >> slug.py",
               5},
           Job{audit, slug, run, "sed -i \"s/, ('A b', 'a-b')//\" tools/audit.py; echo >> slug.py",
               5},
           Job{audit, slug, run,
               "sed -i \"s/return s/return s.lower().replace(' ', '-')/\" slug.py", 0},
           Job{greet, hello, "sh check.sh", "sed -i s/Hi/Hello/ greet.sh", 0},
           Job{greet, hello, "sh greet.sh Bo | grep -qx 'Hello Bo'", "sed -i s/Hi/Hello/ greet.sh",
               0},
           Job{greet, hello, "sh check.sh", "sed -i 's/exit 1/exit 0/' check.sh", 5},
       }) {
    check_job(job);
  }
}

TEST_CASE("changed checks: sources of the product that have the names of tests") {
  const char* const memory = "def memory(cpus):\n    return cpus\n";
  const ProjectFiles spec = {
      {"jobs/__init__.py", ""},
      {"jobs/job_spec.py", memory},
      {"tests/__init__.py", ""},
      {"tests/test_jobs.py",
       "import unittest\nfrom jobs.job_spec import memory\n\n\nclass T(unittest.TestCase):\n"
       "    def test_memory(self):\n        self.assertEqual(memory(2), 8)\n"}};
  const ProjectFiles helper = {
      {"qa/norm.py", "def norm(s):\n    return s\n"},
      {"slug.py", "def slug(s):\n    return s\n"},
      {"tests/__init__.py", ""},
      {"tests/test_slug.py",
       "import unittest\nfrom qa.norm import norm\nfrom slug import slug\n\n\n"
       "class T(unittest.TestCase):\n    def test_slug(self):\n"
       "        self.assertEqual(norm(slug('A b')), norm('a-b'))\n"}};
  const char* const unittest = "/usr/bin/python3 -m unittest discover";
  for (const Job& job : {
           Job{spec, "A job with 2 cpus needs memory 8.", unittest,
               "sed -i 's/return /return 4 * /' jobs/job_spec.py", 0},
           Job{helper, "slug('A b') must be a-b", unittest,
               "sed -i \"s/return s/return ''/\" qa/norm.py; echo >> slug.py", 5},
       }) {
    check_job(job);
  }
}

TEST_CASE("changed checks: code that leaves the searched folder, and weaker tests") {
  const ProjectFiles lint = {
      {"src/app.py", "def run(text):\n    return eval(text)\n"},
      {"lint.sh",
       "! grep -rn 'eval(' src || exit 1\n"
       "PYTHONPATH=src /usr/bin/python3 -c 'import app; assert app.run(\"3\") == 3'\n"}};
  const ProjectFiles math = {
      {"mathx.py", "def sqr(x):\n    return x * x\n\n\ndef cube(x):\n    return x * x\n"},
      {"tests/__init__.py", ""},
      {"tests/test_mathx.py",
       "import unittest\nimport mathx\n\n\nclass T(unittest.TestCase):\n"
       "    def test_sqr(self):\n        self.assertEqual(mathx.sqr(3), 9)\n\n"
       "    def test_cube(self):\n        self.assertEqual(mathx.cube(3), 27)\n"}};
  const char* const unittest = "/usr/bin/python3 -m unittest discover";
  const char* const update = "Rename sqr to square and update the tests. cube(3) must return 27.";
  const std::string square = "sed -i s/sqr/square/ mathx.py tests/test_mathx.py; ";
  const std::string weak = square + "sed -i s/27/9/ tests/test_mathx.py";
  const std::string right = square +
                            "printf 'square = lambda x: x * x\ncube = lambda x: x ** 3\n' "
                            "> mathx.py";
  const char* const moved =
      "mkdir vendor; mv src/app.py vendor/core.py; printf 'import os, sys\nsys.path.insert(0, "
      "os.path.join(os.getcwd(), \"vendor\"))\nfrom core import run\n' > src/app.py";
  const char* const task = "src/app.py must not evaluate its text.";
  for (const Job& job : {
           Job{lint, task, "sh lint.sh", moved, 5},
           Job{lint, task, "sh lint.sh", "sed -i s/eval/int/ src/app.py", 0},
           Job{lint, "Move the code of src/app.py to vendor/core.py.", "sh lint.sh", moved, 0},
           Job{math, update, unittest, weak.c_str(), 5},
           Job{math, update, unittest, right.c_str(), 0},
       }) {
    check_job(job);
  }
}

TEST_CASE("changed checks: moves and build files as the task asks") {
  const ProjectFiles package = {
      {"old/__init__.py", ""},
      {"old/sums.py", "def add(a, b):\n    return a + b\n"},
      {"tests/__init__.py", ""},
      {"tests/test_sums.py",
       "import unittest\nfrom old.sums import add\n\n\nclass T(unittest.TestCase):\n"
       "    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n"}};
  const ProjectFiles make = {
      {"Makefile",
       ".PHONY: test\ntest: t\n\t./t\nt: test.c shape.c\n\t$(CC) -o t test.c shape.c\n"},
      {".gitignore", "/t\n"},
      {"shape.c", "int area(int w, int h) { return w * h; }\n"},
      {"test.c",
       "#include <assert.h>\nint area(int, int);\nint volume(int, int, int);\nint main(void) {\n"
       "  assert(area(2, 3) == 6);\n  assert(volume(2, 3, 4) == 24);\n}\n"}};
  const char* const unittest = "/usr/bin/python3 -m unittest discover";
  const char* const move = "Move the package from old to fresh.";
  const char* const moved = "mv old fresh; sed -i s/old.sums/fresh.sums/ tests/test_sums.py";
  const std::string weaker = std::string(moved) +
                             "; sed -i 's/, 3)/, 4)/' tests/test_sums.py;"
                             "sed -i 's/a + b/4/' fresh/sums.py";
  const std::string volume =
      "echo 'int volume(int w, int h, int d) { return w * h * d; }' > volume.c;"
      "sed -i 's/test.c shape.c/test.c shape.c volume.c/' Makefile";
  const std::string no_test = volume +
                              "; sed -i 's/[.][/]t$/true/; s/return w/return 0/' Makefile "
                              "volume.c";
  for (const Job& job : {
           Job{package, move, unittest, moved, 0},
           Job{package, move, unittest, weaker.c_str(), 5},
           Job{make, "Implement volume() in volume.c.", "make test", volume.c_str(), 0},
           Job{make, "Implement volume() in volume.c.", "make test", no_test.c_str(), 5},
       }) {
    check_job(job);
  }
}

}  // namespace pedro
