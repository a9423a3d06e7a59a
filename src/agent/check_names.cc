#include "agent/check_names.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

// Names of files that define builds, tests and test runs, in lower case.
constexpr std::string_view kBuildFiles =
    "|makefile|gnumakefile|bsdmakefile|cmakecache.txt|cmakelists.txt|cmakepresets.json"
    "|cmakeuserpresets.json|dartconfiguration.tcl|meson.build|meson_options.txt|meson.options"
    "|configure|configure.ac|configure.in|build.ninja|sconstruct|sconscript|wscript|jamfile|jamroot"
    "|build|build.bazel|workspace|workspace.bazel|workspace.bzlmod|module.bazel|module.bazel.lock"
    "|.bazelrc|.bazelversion|.bazelignore|buck|targets|.buckconfig|justfile|.justfile|rakefile"
    "|gemfile|gemfile.lock|taskfile.yml|taskfile.yaml|taskfile.dist.yml|taskfile.dist.yaml"
    "|earthfile|snakefile|magefile.go|xmake.lua|premake5.lua|conanfile.txt|conanfile.py|build.xml"
    "|build.gradle|settings.gradle|gradle.properties|gradle-wrapper.properties|gradlew|mvnw|pom.xml"
    "|build.sbt|build.sc|build.mill|build.properties|project.clj|deps.edn|bb.edn|build.zig"
    "|build.zig.zon|cargo.toml|cargo.lock|build.rs|rust-toolchain|rust-toolchain.toml|go.mod"
    "|go.work|modules.txt|mix.exs|mix.lock|rebar.config|rebar.lock|stack.yaml|cabal.project"
    "|package.yaml|dune-project|dune|dune-workspace|package.swift|package.resolved|pubspec.yaml"
    "|dub.json|dub.sdl|shard.yml|directory.build.props|directory.build.targets"
    "|directory.packages.props|nuget.config|global.json|composer.json|composer.lock"
    "|package.json|package-lock.json|yarn.lock|pnpm-lock.yaml|pnpm-workspace.yaml|lerna.json"
    "|nx.json|turbo.json|deno.json|deno.jsonc|deno.lock|bunfig.toml|setup.cfg|setup.py"
    "|pyproject.toml|hatch.toml|cpanfile|makefile.pl|build.pl|dist.ini|dockerfile|containerfile"
    "|jenkinsfile|.travis.yml|.gitlab-ci.yml|.cirrus.yml|.drone.yml|azure-pipelines.yml"
    "|appveyor.yml|.appveyor.yml|cloudbuild.yaml|";
constexpr std::string_view kSettingsFiles =
    "|conftest.py|pytest.ini|.pytest.ini|pytest.toml|.pytest.toml|tox.ini|tox.toml|noxfile.py"
    "|sitecustomize.py|usercustomize.py|.coveragerc|unittest.cfg|nose2.cfg|.noserc|nose.cfg"
    "|mypy.ini|.mypy.ini|ruff.toml|.ruff.toml|.flake8|.pylintrc|pylintrc|pyrightconfig.json"
    "|.isort.cfg|.style.yapf|.bandit|ward.toml|behave.ini|.behaverc|robot.toml"
    "|.rspec|.rspec-local|guardfile|cucumber.yml|.simplecov|.rubocop.yml|.proverc|.perlcriticrc"
    "|.perltidyrc|phpunit.xml|phpunit.xml.dist|phpunit.dist.xml|pest.php|codeception.yml"
    "|codeception.dist.yml|behat.yml|behat.yml.dist|phpstan.neon|phpstan.neon.dist|psalm.xml"
    "|psalm.xml.dist|phpcs.xml|phpcs.xml.dist|.busted|.luacheckrc|.luacov|.shellspec|.shellcheckrc"
    "|.npmrc|.yarnrc|.yarnrc.yml|.pnp.cjs|.babelrc|.swcrc|biome.json|biome.jsonc|tslint.json"
    "|jasmine.json|jest-puppeteer.config.js|nest-cli.json|angular.json|.eslintignore"
    "|.prettierignore|clippy.toml|.clippy.toml|rustfmt.toml|.rustfmt.toml|nextest.toml"
    "|.runsettings|testng.xml|junit-platform.properties|xunit.runner.json|checkstyle.xml"
    "|detekt.yml|.scalafmt.conf|.scalafix.conf|dart_test.yaml|analysis_options.yaml|.credo.exs"
    "|.formatter.exs|.ocamlformat|.swiftlint.yml|.clang-tidy|.clang-format|.cppcheck"
    "|.pre-commit-config.yaml|.editorconfig|.gitattributes|.gitignore|.gitmodules|.env|.envrc"
    "|.python-version|.node-version|.nvmrc|.ruby-version|.tool-versions|mise.toml|.mise.toml"
    "|entry_points.txt|";
constexpr std::string_view kDefinitionStarts =
    "|makefile.|gnumakefile.|jest.config.|vitest.config.|vitest.workspace.|vite.config.|karma.conf."
    "|playwright.config.|cypress.config.|ava.config.|wdio.conf.|babel.config.|webpack.config."
    "|rollup.config.|tsup.config.|rspack.config.|nightwatch.conf.|protractor.conf.|stryker.conf"
    "|jasmine.config.|web-test-runner.config.|wtr.config.|testcafe.|.testcaferc|.mocharc|.taprc"
    "|.nycrc|.c8rc|.jestrc|.env.|tsconfig|jsconfig|.eslintrc|eslint.config.|.prettierrc"
    "|prettier.config.|.stylelintrc|stylelint.config.|.lintstagedrc|.golangci.|.goreleaser."
    "|ctestcustom|ctestconfig|ctesttestfile|docker-compose|compose.y|.remarkrc|.markdownlint|";
constexpr std::string_view kDefinitionEnds =
    "|.cmake|.mk|.mak|.am|.m4|.gradle|.gradle.kts|.bazel|.bzl|.bazelrc|.csproj|.fsproj|.vbproj"
    "|.vcxproj|.sln|.slnx|.runsettings|.cabal|.gemspec|.podspec|.nimble|.rockspec|.opam|.sbt|.pth"
    "|.egg-link|";
constexpr std::string_view kDefinitionFolders =
    "|.github|.gitlab|.circleci|.buildkite|.woodpecker|.cargo|.mvn|.config|node_modules|.yarn"
    "|.bundle|.bazel|";
constexpr std::string_view kDefinitionFolderEnds = "|.dist-info|.egg-info|.xcodeproj|";

// Folders and ends of names of expected outputs, in lower case.
constexpr std::string_view kExpectedFolders =
    "|golden|goldens|goldenfiles|golden_files|golden-files|expected|expected_output"
    "|expected_outputs|expected-output|expected-outputs|expected_results|__snapshots__"
    "|__image_snapshots__|__golden__|cassettes|vcr_cassettes|";
constexpr std::string_view kDataFolders =  // sources in them are ordinary
    "|snapshots|snapshot|baseline|baselines|expect|expectations|approvals|";
constexpr std::string_view kExpectedEnds =
    "|.golden|.gold|.expected|.expect|.exp|.out|.stdout|.stderr|.snap|.snap.new|.ambr|.cassette"
    "|.baseline|.approved|.ref|";
constexpr std::string_view kExpectedInfixes =
    "|.approved.|.expected.|.golden.|.verified.|.snapshot.|_expected.|-expected.|_golden.|-golden."
    "|";

// Names that shadow a test runner or a make target.
constexpr std::string_view kShadows[] = {"pytest.py", "unittest.py", "nose.py", "test",
                                         "check",     "all",         "pytest",  "unittest"};
// Modules of Python's library and of its test runners, which a file of the project can hide.
constexpr std::string_view kLibraryModules =
    "|_pytest|abc|aifc|argparse|array|ast|asynchat|asyncio|asyncore|atexit|attr|audioop"
    "|base64|bdb|binascii|bisect|builtins|bz2|cProfile|calendar|cgi|cgitb|chunk|cmath|cmd"
    "|code|codecs|codeop|collections|colorsys|compileall|concurrent|configparser|contextlib"
    "|contextvars|copy|copyreg|coverage|crypt|csv|ctypes|curses|dataclasses|datetime|dbm"
    "|decimal|difflib|dis|distutils|doctest|email|encodings|ensurepip|enum|errno"
    "|exceptiongroup|faulthandler|fcntl|filecmp|fileinput|fnmatch|fractions|ftplib|functools"
    "|gc|genericpath|getopt|getpass|gettext|glob|graphlib|grp|gzip|hashlib|heapq|hmac|html"
    "|http|hypothesis|imaplib|imghdr|imp|importlib|iniconfig|inspect|io|ipaddress|itertools"
    "|json|keyword|linecache|locale|logging|lzma|mailbox|mailcap|marshal|math|mimetypes|mmap"
    "|mock|modulefinder|msilib|msvcrt|multiprocessing|netrc|nis|nntplib|nose|nose2|nox|nt"
    "|ntpath|nturl2path|numbers|opcode|operator|optparse|os|ossaudiodev|packaging|pathlib|pdb"
    "|pickle|pickletools|pipes|pkgutil|platform|plistlib|pluggy|poplib|posix|posixpath|pprint"
    "|profile|pstats|pty|pwd|py|py_compile|pyclbr|pydoc|pydoc_data|pyexpat|pygments|pytest"
    "|pytest_asyncio|queue|quopri|random|re|readline|reprlib|resource|rlcompleter|runpy|sched"
    "|secrets|select|selectors|shelve|shlex|shutil|signal|site|sitecustomize|smtpd|smtplib"
    "|sndhdr|socket|socketserver|spwd|sqlite3|sre_compile|sre_constants|sre_parse|ssl|stat"
    "|statistics|string|stringprep|struct|subprocess|sunau|symtable|sys|sysconfig|syslog"
    "|tabnanny|tarfile|telnetlib|tempfile|termios|textwrap|threading|time|timeit|tkinter"
    "|token|tokenize|tomli|tomllib|tox|trace|traceback|tracemalloc|tty|turtle|types|typing"
    "|unicodedata|unittest|urllib|usercustomize|uu|uuid|venv|warnings|wave|weakref|webbrowser"
    "|winreg|winsound|wsgiref|xdist|xdrlib|xml|xmlrpc|zipapp|zipfile|zipimport|zlib|zoneinfo|";

bool has_folder(std::string_view path, std::string_view listed) {
  const auto folders = split(folder_name(path), '/');
  return std::any_of(folders.begin(), folders.end(),
                     [listed](auto folder) { return is_listed(listed, folder); });
}

}  // namespace

bool has_any(std::string_view text, std::string_view parts) {
  return any_listed(parts, [text](auto part) { return text.find(part) != text.npos; });
}

std::string_view extension_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == path.npos ? "" : path.substr(dot);
}

bool is_shell_script(std::string_view path, std::string_view text) {
  return is_listed("|.sh|.bash|.zsh|.ksh|.bats|", extension_of(base_name(path))) ||
         (text.starts_with("#!") && text.substr(0, text.find('\n')).ends_with("sh"));
}

bool is_check_definition(std::string_view path) {
  const std::string lower = to_lower(path);
  const std::string_view name = base_name(lower);
  if (is_listed(kBuildFiles, name) || is_listed(kSettingsFiles, name)) return true;
  if (path.starts_with(".pedrocli") || has_folder(lower, kDefinitionFolders)) return true;
  if (any_listed(kDefinitionStarts, [name](auto word) { return name.starts_with(word); }))
    return true;
  if (any_listed(kDefinitionEnds, [name](auto word) { return name.ends_with(word); })) return true;
  return any_listed(kDefinitionFolderEnds, [&lower](std::string_view end) {
    return lower.find(std::string(end) + "/") != lower.npos || lower.ends_with(end);
  });
}

bool is_expected_output(std::string_view path) {
  const std::string lower = to_lower(path);
  const std::string_view name = base_name(lower);
  if (has_folder(lower, kExpectedFolders)) return true;
  if (has_folder(lower, kDataFolders)) return language_of(path) == Language::kUnknown;
  return any_listed(kExpectedEnds, [name](auto end) { return name.ends_with(end); }) ||
         has_any(name, kExpectedInfixes);
}

bool shadows_runner(std::string_view path) {
  // A folder can be a module too: "pytest/__init__.py".
  const std::string_view first = path.substr(0, path.find('/'));
  return is_one_of(to_lower(base_name(path)), kShadows) ||
         (first != "test" && first != "check" && first != "all" && is_one_of(first, kShadows));
}

bool shadows_module(std::string_view path) {
  const std::string_view first = path.substr(0, path.find('/'));
  const bool is_code = path.ends_with(".py") || path.ends_with(".so") || path.ends_with(".pyc");
  return is_code && is_listed(kLibraryModules, first.substr(0, first.find('.')));
}

bool is_named_check(std::string_view path) {
  constexpr std::string_view kWords =
      "|test|check|spec|verify|valid|lint|suite|runner|smoke|e2e|regress|harness|assert|expect"
      "|golden|compare|";
  const std::string name = to_lower(base_name(path));
  const std::string_view folder = path.substr(0, path.find('/'));
  return has_any(name, kWords) || is_listed("|ci|qa|t|cmp|", name.substr(0, name.rfind('.'))) ||
         (folder.size() < path.size() && is_listed("|scripts|script|ci|.ci|hack|qa|", folder));
}

bool is_check_script(std::string_view path) {
  const std::string name = to_lower(base_name(path));
  const std::string_view ending = extension_of(name);
  const bool is_shell =
      is_listed("|.sh|.bash|.zsh|.ksh|.fish|.bats|.t|.inc|.exp|.awk|.sed|", ending);
  if (is_shell || ending.empty()) return true;
  return is_listed("|.py|.js|.mjs|.cjs|.ts|.mts|.pl|.pm|.rb|.php|.lua|.r|.tcl|.ps1|", ending) &&
         is_named_check(path);
}

}  // namespace pedro
