#include "tools/test_names.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "sys/file_system.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

// Names of folders in lower case.
constexpr std::string_view kTestFolders =
    "|test|tests|spec|specs|__test__|__tests__|__mocks__|t|xt|qa|e2e|fixtures|__fixtures__"
    "|testdata|testcase|testcases|testsuite|testsuites|testfiles|testutil|testutils|testhelper"
    "|testhelpers|testlib|testing_utils|unittest|unittests|selftest|selftests|cypress|";
// Second parts of folders such as "test-data" and "tests_support".
constexpr std::string_view kTestParts =
    "|data|case|cases|suite|suites|file|files|util|utils|helper|helpers|support|fixture|fixtures"
    "|resource|resources|lib|libs|input|inputs|output|outputs|script|scripts|driver|unit"
    "|integration|functional|";
// First parts of folders such as "integration-test" and "unittest".
constexpr std::string_view kTestKinds =
    "|unit|integration|integ|int|functional|func|acceptance|e2e|end-to-end|end_to_end|system"
    "|regression|smoke|api|ui|browser|component|contract|conformance|property|golden|snapshot"
    "|android|common|js|jvm|native|ios|performance|fuzz|stress|self|";
constexpr std::string_view kTestWords = "|test|tests|testing|";

// Names of files in lower case, without the last extension.
constexpr std::string_view kTestStems =
    "|test|tests|unittest|unittests|testsuite|runtest|runtests|alltests|testall|selftest"
    "|selftests|testutil|testutils|testhelper|testhelpers|testlib|conftest|";
constexpr std::string_view kTestStarts = "|test_|tests_|spec_helper|tst_|";
constexpr std::string_view kTestEnds = "|_test|_tests|_spec|_unittest|_unittests|";
// Names such as "test-plan.md" and "api-spec.yaml" are documents.
constexpr std::string_view kDashStarts = "|test-|tests-|";
constexpr std::string_view kDashEnds = "|-test|-tests|-unittest|-unittests|-spec|-specs|_specs|";
constexpr std::string_view kDocuments = "|.md|.rst|.adoc|.html|.pdf|.txt|.yaml|.yml|.json|";
constexpr std::string_view kTestInfixes = "|.test.|.tests.|.spec.|.specs.|.cy.|.e2e.|.test-d.|";
constexpr std::string_view kTestExtensions =
    "|.t|.bats|.feature|.robot|.phpt|.slt|.test|.xctestplan|.at|";

// Words at the end of a name in camel case, and the extensions to which they apply.
struct CamelEnd {
  std::string_view word;
  std::string_view extensions;  // "": all
};
constexpr CamelEnd kCamelEnds[] = {
    {"Test", ""},
    {"Tests", ""},
    {"TestCase", ""},
    {"TestCases", ""},
    {"TestSuite", ""},
    {"UnitTest", ""},
    {"IT", "|.java|.kt|.groovy|.scala|"},
    {"ITCase", "|.java|.kt|.groovy|.scala|"},
    {"Suite", "|.scala|"},
    {"Spec", "|.scala|.groovy|.kt|.hs|.js|.mjs|"},
    {"Specs", "|.scala|.groovy|.kt|.cs|"},
    {"Cest", "|.php|"},
    {"Cept", "|.php|"},
};
constexpr std::string_view kCamelStartExtensions =
    "|.java|.kt|.groovy|.scala|.c|.cc|.cpp|.cxx|.m|.mm|.py|.php|";

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

bool ends_in_camel_case(std::string_view name, std::string_view word) {
  if (name.size() <= word.size() || !name.ends_with(word)) return false;
  const char before = name[name.size() - word.size() - 1];
  return (before >= 'a' && before <= 'z') || is_digit(before) || before == '.' || before == '_';
}

bool starts_in_camel_case(std::string_view name, std::string_view word) {
  return name.size() > word.size() && name.starts_with(word) && is_capital(name[word.size()]);
}

// Returns true for "unittest", "integration-tests" and "e2e_spec".
bool is_kind_of_test(std::string_view folder) {
  return any_listed(kTestKinds, [folder](auto kind) {
    if (!folder.starts_with(kind)) return false;
    std::string_view rest = folder.substr(kind.size());
    if (rest.starts_with('-') || rest.starts_with('_') || rest.starts_with('.')) {
      rest.remove_prefix(1);
    }
    return is_listed(kTestWords, rest);
  });
}

bool is_test_folder(std::string_view folder) {
  const std::string lower = to_lower(folder);
  if (is_listed(kTestFolders, lower) || is_kind_of_test(lower)) return true;
  const std::size_t part = lower.find_first_of("-_");
  if (part != lower.npos && is_listed("|test|tests|", lower.substr(0, part)) &&
      is_listed(kTestParts, lower.substr(part + 1))) {
    return true;
  }
  return any_listed("|-tests|_tests|.tests|.test|",
                    [&lower](auto end) { return lower.ends_with(end); }) ||
         ends_in_camel_case(folder, "Test") || ends_in_camel_case(folder, "Tests") ||
         starts_in_camel_case(folder, "test");
}

bool is_named_as_test(std::string_view base) {
  const std::string lower = to_lower(base);
  const std::size_t dot = lower.rfind('.');
  const bool has_extension = dot != lower.npos && dot > 0;
  const std::string extension = has_extension ? lower.substr(dot) : "";
  const std::string stem = has_extension ? lower.substr(0, dot) : lower;
  const std::string_view camel = base.substr(0, stem.size());
  if (is_listed(kTestStems, stem) || is_listed(kTestExtensions, extension)) return true;
  const auto starts = [&](std::string_view word) { return stem.starts_with(word); };
  const auto ends = [&](std::string_view word) { return stem.ends_with(word); };
  if (any_listed(kTestStarts, starts) || any_listed(kTestEnds, ends)) return true;
  const bool has_dashes = any_listed(kDashStarts, starts) || any_listed(kDashEnds, ends);
  if (has_dashes && !is_listed(kDocuments, extension)) return true;
  if (any_listed(kTestInfixes, [&](auto word) { return lower.find(word) != lower.npos; }))
    return true;
  if (is_listed(kCamelStartExtensions, extension) && starts_in_camel_case(camel, "Test")) {
    return true;
  }
  return std::any_of(std::begin(kCamelEnds), std::end(kCamelEnds), [&](const CamelEnd& end) {
    return (end.extensions.empty() || is_listed(end.extensions, extension)) &&
           ends_in_camel_case(camel, end.word);
  });
}

}  // namespace

bool is_test_name(std::string_view path) {
  const auto folders = split(folder_name(path), '/');
  for (std::size_t i = 0; i < folders.size(); ++i) {
    // Maven's integration tests.
    const bool is_maven = i > 0 && folders[i] == "it" && folders[i - 1] == "src";
    if (is_maven || is_test_folder(folders[i])) return true;
  }
  return is_named_as_test(base_name(path));
}

}  // namespace pedro
