#include "agent/check_programs.h"

#include <doctest/doctest.h>

#include "agent/check_files.h"

using namespace pedro;

namespace {

const SourceNames kSources = {"slug", "slug.py", "slug.js", "ex"};

struct TestedProgram {
  const char* path;
  std::string text;
};

}  // namespace

TEST_CASE("check programs: assertions about results of other sources") {
  for (const TestedProgram& one :
       {TestedProgram{"a.py", "from slug import slug\nassert slug('A b') == want\n"},
        TestedProgram{"a.py", "import lib.slug as s\ngot = s.slug('A b')\nassert got == want\n"},
        TestedProgram{"a.py",
                      "import importlib\nm = importlib.import_module('slug')\nassert m.a()\n"},
        TestedProgram{"a.py",
                      "import subprocess\nout = subprocess.run(['python3', 'slug.py'])\n"
                      "assert out.stdout == 'a-b'\n"},
        TestedProgram{"a.js",
                      "const assert = require('assert'); const slug = require('./slug');\n"
                      "assert.strictEqual(slug('A b'), 'a-b');\n"},
        TestedProgram{"a.mjs",
                      "import { slug } from './slug.js';\nexpect(slug('A b')).toBe('a-b')\n"}}) {
    CAPTURE(one.text);
    CHECK(tests_sources(one.path, one.text, kSources, false));
  }
  for (const TestedProgram& one :
       {TestedProgram{"a.py", "from slug import slug\nprint(slug('A b'))\n"},
        TestedProgram{"a.py", "import sys\nassert len(sys.argv) == 2\n"},
        TestedProgram{"slug.py", "def slug(s):\n    return s\nassert slug('a') == 'a'\n"},
        TestedProgram{"a.js", "const slug = require('./slug');\nconsole.log(slug('A'));\n"}}) {
    CAPTURE(one.text);
    CHECK_FALSE(tests_sources(one.path, one.text, kSources, true));
  }
}

TEST_CASE("check programs: an exit code that depends on expected values") {
  for (const TestedProgram& one :
       {TestedProgram{"a.py",
                      "import sys\nfrom slug import slug\n"
                      "bad = [a for a, b in [('A b', 'a-b')] if slug(a) != b]\n"
                      "sys.exit(1 if bad else 0)\n"},
        TestedProgram{"a.py",
                      "from slug import slug\nif slug('A b') != 'a-b':\n    raise SystemExit(1)\n"},
        TestedProgram{"a.py",
                      "import sys\nfrom slug import slug\n\n\ndef same(got, want):\n"
                      "    if got != want:\n        sys.exit(1)\n\n\nsame(slug('A b'), 'a-b')\n"},
        TestedProgram{"a.js",
                      "const slug = require('./slug');\n"
                      "process.exit(slug('A b') === 'a-b' ? 0 : 1);\n"},
        TestedProgram{"cmd/verify/main.go",
                      "package main\nimport (\"os\";\"ex/slug\")\nfunc main() {\n"
                      "\tfor in, want := range map[string]string{\"A b\": \"a-b\"} {\n"
                      "\t\tif got := slug.Slug(in); got != want { os.Exit(1) }\n\t}\n}\n"},
        TestedProgram{"examples/a.rs",
                      "fn main() {\n  for (x, want) in [(2, 4)] {\n"
                      "    if ex::dbl(x) != want { std::process::exit(1); }\n  }\n}\n"}}) {
    CAPTURE(one.text);
    CHECK(tests_sources(one.path, one.text, kSources, true));
    CHECK_FALSE(tests_sources(one.path, one.text, kSources, false));
  }
  // Programs of the product.
  for (const TestedProgram& one :
       {TestedProgram{"main.py",
                      "import sys\nfrom slug import slug\nif len(sys.argv) != 2:\n"
                      "    sys.exit('usage')\nprint(slug(sys.argv[1]))\n"},
        TestedProgram{"build.py",
                      "from slug import pages\nfor page in pages():\n"
                      "    if page.kind == 'draft':\n        continue\n"
                      "    if page.version != 2:\n        raise ValueError('version')\n"},
        TestedProgram{"main.js",
                      "const slug = require('./slug');\nconst text = slug.read();\n"
                      "if (text === undefined) process.exit(1);\nconsole.log(text);\n"},
        TestedProgram{"main.go",
                      "package main\nimport (\"os\";\"ex/slug\")\nfunc main() {\n"
                      "\tif err := slug.Run(); err != nil { os.Exit(1) }\n}\n"}}) {
    CAPTURE(one.text);
    CHECK_FALSE(tests_sources(one.path, one.text, kSources, true));
  }
}

TEST_CASE("check programs: commands that start them") {
  const std::string test = "from slug import slug\nassert slug('A b') == 'a-b'\n";
  const std::string go =
      "package main\nimport (\"os\";\"ex/slug\")\nfunc main() {\n"
      "\tif slug.Slug(\"A b\") != \"a-b\" { os.Exit(1) }\n}\n";
  const std::string rust = "fn main() { assert_eq!(ex::dbl(2), 4); }\n";
  const std::map<std::string, std::string> files = {
      {"slug.py", "def slug(s):\n    return s\n"},
      {"slug/slug.go", "package slug\n"},
      {"tools/audit.py", test},
      {"app/examples.py", test},
      {"app/__main__.py", test},
      {"scenarios.js", "const slug = require('./slug');\nassert.equal(slug('A b'), 'a-b');\n"},
      {"cmd/proof/main.go", go},
      {"examples/self.rs", rust},
      {"src/bin/self.rs", rust},
      {"src/lib.rs", "pub fn dbl(x: i32) -> i32 { x }\n"},
      {"main.py", "from slug import slug\nprint(slug('A b'))\n"},
      {"Cargo.toml", "[package]\nname = \"ex\"\n"},
      {"Makefile", ""},
      {"package.json", ""}};
  std::set<std::string> paths;
  for (const auto& [path, text] : files) paths.insert(path);
  struct Row {
    const char* command;
    std::set<std::string> programs;
  };
  for (const Row& row : {
           Row{"python3 tools/audit.py", {"tools/audit.py"}},
           Row{"cd tools && python3 audit.py -v", {"tools/audit.py"}},
           Row{"PYTHONPATH=. python3 -u -m app.examples", {"app/examples.py"}},
           Row{"python3 -m app", {"app/__main__.py"}},
           Row{"node scenarios.js | grep -q ok", {"scenarios.js"}},
           Row{"go run ./cmd/proof", {"cmd/proof/main.go"}},
           Row{"go build -o proof ./cmd/proof && ./proof", {"cmd/proof/main.go"}},
           Row{"go run ./cmd/proof | grep x", {}},
           Row{"cargo run -q --example self", {"examples/self.rs"}},
           Row{"cargo run --bin self", {"src/bin/self.rs"}},
           Row{"python3 main.py", {}},
           Row{"python3 main.py | diff - want", {}},
       }) {
    for (const bool is_made : {false, true}) {
      CAPTURE(row.command);
      CAPTURE(is_made);
      auto texts = files;
      if (is_made) texts["Makefile"] = std::string("test:\n\t") + row.command + "\n";
      const TextOfBase base = [&](const std::string& path) {
        const auto file = texts.find(path);
        return file == texts.end() ? "" : file->second;
      };
      const std::vector<Check> checks = {
          {"test", is_made ? "make test" : row.command, "-test-cmd"}};
      std::vector<std::string> changed(paths.begin(), paths.end());
      std::erase_if(changed, [](const auto& path) { return path.find('.') == path.npos; });
      std::erase(changed, "Cargo.toml");
      std::erase(changed, "package.json");
      CHECK(check_files(changed, checks, base, {}, paths) == row.programs);
    }
  }
}

TEST_CASE("check programs: words of tests") {
  CHECK(has_test_words("def test_a():\n    pass\n"));
  CHECK(has_test_words("  it('adds', () => {});\n"));
  CHECK(has_test_words("#[test]\nfn a() {}\n"));
  CHECK_FALSE(has_test_words("class JobSpec:\n    def memory(self): return self.cpus\n"));
  CHECK_FALSE(has_test_words("module.exports = () => pattern.test('a');\n"));
}
