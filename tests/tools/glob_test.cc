#include "tools/glob.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("glob: matches") {
  struct Row {
    const char* pattern;
    const char* path;
    bool expected;
  };
  const Row rows[] = {
      {"*.cc", "a.cc", true},
      {"*.cc", "src/deep/a.cc", true},  // without '/', matches the last component
      {"*.cc", "a.ccx", false},
      {"a?c", "abc", true},
      {"a?c", "ac", false},
      {"src/*.cc", "src/a.cc", true},
      {"src/*.cc", "src/deep/a.cc", false},
      {"./src/*.cc", "src/a.cc", true},
      {"src/**", "src/deep/a.cc", true},
      {"src/", "src/deep/a.cc", true},
      {"src/**/a.cc", "src/a.cc", true},
      {"src/**/a.cc", "src/x/y/a.cc", true},
      {"src/**/a.cc", "src/x/ya.cc", false},
      {"**/a.cc", "a.cc", true},
      {"**/a.cc", "x/a.cc", true},
      {"**/a.cc", "xa.cc", false},
      {"**/test/*.cc", "lib/test/a.cc", true},
      {"**/test/*.cc", "lib/test/sub/a.cc", false},
      {"**", "any/thing", true},
      {"a**b", "axyb", true},
      {"**/*.{h,cc}", "src/a.h", true},
      {"*.{h,cc}", "a.cc", true},
      {"*.{h,cc}", "a.py", false},
      {"{a,b{c,d}}.x", "bd.x", true},
      {"{a,b{c,d}}.x", "b.x", false},
      {"{src,lib}/*.cc", "lib/a.cc", true},
      {"[abc].x", "b.x", true},
      {"[a-c].x", "c.x", true},
      {"[!a-c].x", "c.x", false},
      {"[!a-c].x", "d.x", true},
      {"[]x]", "]", true},
      {"a[!b]c/x", "a/c/x", false},  // a set does not match '/'
      {"\\*.x", "*.x", true},
      {"\\*.x", "a.x", false},
      {"\\{a\\}", "{a}", true},
      {"a}", "a}", true},
      {".*", ".gitignore", true},
      {"*", ".gitignore", true},
      {"naïve*", "naïve.txt", true},
      {"*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.pattern);
    CAPTURE(row.path);
    const auto glob = Glob::parse(row.pattern);
    REQUIRE(glob.ok());
    CHECK(glob->matches(row.path) == row.expected);
  }
}

// A simple reference implementation. Compared with the fast one on all small inputs.
bool slow_match(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return path.empty();
  if (pattern.starts_with("**/")) {
    const std::string_view rest = pattern.substr(3);
    if (slow_match(rest, path)) return true;
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (path[i] == '/' && slow_match(rest, path.substr(i + 1))) return true;
    }
    return false;
  }
  if (pattern.starts_with("**")) {
    for (std::size_t i = 0; i <= path.size(); ++i) {
      if (slow_match(pattern.substr(2), path.substr(i))) return true;
    }
    return false;
  }
  if (pattern.front() == '*') {
    for (std::size_t i = 0; i <= path.size(); ++i) {
      if (slow_match(pattern.substr(1), path.substr(i))) return true;
      if (i < path.size() && path[i] == '/') return false;
    }
    return false;
  }
  return !path.empty() && path.front() == pattern.front() &&
         slow_match(pattern.substr(1), path.substr(1));
}

void all_words(std::string_view letters, std::size_t length, std::vector<std::string>& words) {
  std::size_t begin = words.size();
  words.emplace_back();
  for (std::size_t n = 0; n < length; ++n) {
    const std::size_t end = words.size();
    for (std::size_t i = begin; i < end; ++i) {
      for (const char letter : letters) words.push_back(words[i] + letter);
    }
    begin = end;
  }
}

TEST_CASE("glob: agrees with the obvious matcher on all small inputs") {
  std::vector<std::string> patterns;
  all_words("a*/", 5, patterns);
  std::vector<std::string> paths;
  all_words("a/", 6, paths);
  int wrong = 0;
  for (const std::string& pattern : patterns) {
    // Keeps patterns in which '**/' starts a component, so that it matches folders. A pattern
    // without '/' follows a different rule.
    const bool plain = pattern.find('/') != std::string::npos && !pattern.ends_with('/') &&
                       pattern.find("a**/") == std::string::npos &&
                       pattern.find("***") == std::string::npos;
    if (!plain) continue;
    const auto glob = Glob::parse(pattern);
    REQUIRE(glob.ok());
    for (const std::string& path : paths) {
      if (path.starts_with('/') || path.find("//") != std::string::npos) continue;
      if (glob->matches(path) == slow_match(pattern, path)) continue;
      if (++wrong < 5) MESSAGE(pattern << " on " << path);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("glob: refuses invalid patterns") {
  struct Row {
    std::string pattern;
    const char* message;
  };
  const Row rows[] = {
      {"", "bad pattern '': it is empty"},
      {"[ab", "bad pattern '[ab': '[' is not closed by ']'"},
      {"x[]", "bad pattern 'x[]': '[' is not closed by ']'"},
      {"{a,b", "bad pattern '{a,b': '{' is not closed by '}'"},
      {"a\\", "bad pattern 'a\\': nothing follows the '\\'"},
      {std::string(501, 'a'), "the pattern is longer than 500 bytes"},
      {"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
       "bad pattern '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}': more than 64 alternatives"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.pattern);
    const auto glob = Glob::parse(row.pattern);
    REQUIRE(!glob.ok());
    CHECK(glob.error().kind == ErrorKind::kRefused);
    CHECK(glob.error().message == row.message);
  }
}

}  // namespace pedro
