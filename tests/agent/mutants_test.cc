#include "agent/mutants.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace pedro;

namespace {

std::vector<std::string> lines_of(std::string_view line, std::string_view function = {}) {
  std::vector<std::string> lines;
  for (Mutant& mutant : mutants_of(line, function)) lines.push_back(std::move(mutant.line));
  return lines;
}

bool has(std::string_view line, std::string_view mutant, std::string_view function = {}) {
  const std::vector<std::string> all = lines_of(line, function);
  return std::find(all.begin(), all.end(), mutant) != all.end();
}

}  // namespace

TEST_CASE("mutants: one place is changed") {
  struct Row {
    const char* line;
    const char* mutant;
  };
  for (const Row& row : {Row{"if (n < limit) {", "if (n <= limit) {"},
                         Row{"if n == 0:", "if n != 0:"},
                         Row{"while [ \"$i\" -lt 5 ]; do", "while [ \"$i\" -le 5 ]; do"},
                         Row{"x = a + b", "x = a - b"},
                         Row{"mid = lo + (hi - lo) // 2", "mid = lo + (hi - lo) // 3"},
                         Row{"return items[0]", "return items[1]"},
                         Row{"return items[0]", "return items[-1]"},
                         Row{"for i in range(n):", "for i in range(n + 1):"},
                         Row{"for (i = 0; i < n - 1; i++)", "for (i = 0; i < n; i++)"},
                         Row{"if a and b:", "if a or b:"},
                         Row{"if not done:", "if done:"},
                         Row{"if done:", "if not done:"},
                         Row{"if (!ok) return;", "if (ok) return;"},
                         Row{"if (ok) return;", "if (!ok) return;"},
                         Row{"if x in seen:", "if x not in seen:"},
                         Row{"return gcd(a % b, b)", "return gcd(b, a % b)"},
                         Row{"y = math.Pow(float64(n), 2)", "y = math.Pow(2, float64(n))"},
                         Row{"return rows[:keep]", "return rows[keep:]"},
                         Row{"done = true;", "done = false;"},
                         Row{"key = line.rpartition(\"=\")", "key = line.partition(\"=\")"},
                         Row{"total += price", "total = price"}}) {
    CHECK_MESSAGE(has(row.line, row.mutant), row.line);
  }
}

TEST_CASE("mutants: operands are swapped") {
  for (const auto& [line, mutant] : std::map<std::string, const char*>{
           {"stack.append(a - b)", "stack.append(b - a)"},
           {"result = result + alphabet[i]", "result = alphabet[i] + result"},
           {"x = f(a)[0] - self.g(b, c).d", "x = self.g(b, c).d - f(a)[0]"},
           {"return (a + b) / count", "return count / (a + b)"},
           {"s = name + \".txt\"", "s = \".txt\" + name"}}) {
    CHECK_MESSAGE(has(line, mutant), line);
  }
  for (const char* line :
       {"x = ) - (", "x = a - ", " - a", "f(a -", "] + [", "x = a - (b", "- - -"})
    mutants_of(line);
}

TEST_CASE("mutants: a variable is replaced by others of the function") {
  constexpr std::string_view kFunction =
      "def kth(arr, k):\n"
      "    above = [x for x in arr if x > pivot]\n"
      "    if k >= len(above):\n"
      "        return kth(above, k)\n"
      "    return pivot\n";
  const std::vector<std::string> all = lines_of("        return kth(above, k)", kFunction);
  const auto has_one = [&](std::string_view line) {
    return std::find(all.begin(), all.end(), line) != all.end();
  };
  CHECK(has_one("        return kth(arr, k)"));
  CHECK(has_one("        return kth(above, pivot)"));
  CHECK(!has_one("        return arr(above, k)"));    // a call
  CHECK(!has_one("        return kth(above, len)"));  // called only
  CHECK(!has_one("        return kth(above, if)"));
  CHECK(mutants_of("        return kth(above, k)").size() < all.size());
}

TEST_CASE("mutants: a name that is a keyword elsewhere is a variable") {
  const std::string function = "void f(tank* from, tank* to) {\n  from->level -= to->level;\n";
  const std::vector<std::string> all = lines_of("  if (to->level + n > from->capacity)", function);
  CHECK(std::find(all.begin(), all.end(), "  if (to->level + n > to->capacity)") != all.end());
}

TEST_CASE("mutants: strings stay, and no version is the line itself or there twice") {
  for (const char* line : {"say(\"a < b + 1\")", "x = 1", "", "   ", "don't", "f(a, a)", "((((",
                           "a[b:c:d]", "\xFF\xFE < 3", "if if if"}) {
    const std::vector<std::string> all = lines_of(line);
    std::vector<std::string> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    CHECK(std::find(all.begin(), all.end(), line) == all.end());
  }
  CHECK(!has("say(\"a < b + 1\")", "say(\"a <= b + 1\")"));
  CHECK(mutants_of(std::string(kMaxMutatedBytes + 1, '<')).empty());
}

TEST_CASE("mutants: an operand, a call or a bound is removed or added") {
  constexpr std::string_view kFunction =
      "def take(stack, limit):\n    self.started = limit\n    stack.pop(limit)\n"
      "    self.updated = stack.top()\n    stack = [limit]\n";
  for (const auto& [line, mutant] : std::map<std::string, const char*>{
           {"return 1 + f(source[1:], b)", "return f(source[1:], b)"},
           {"for i in range(0, len(data) - size, size):", "for i in range(0, len(data), size):"},
           {"    yield flatten(x)", "    yield x"},
           {"age = now - self.started", "age = now - self.updated"},
           {"x = stack.pop()", "x = stack.top()"},
           {"return []", "return [limit]"},
           {"rows = []", "rows = [[]]"},
           {"best = best + x", "best = max(0, best + x)"},
           {"longest = length + 1", "longest = max(longest, length + 1)"},
           {"if total < 0:", "if total < 0 or not stack:"},
           {"if len(rows) == 0:", "if len(rows) <= 1:"},
           {"minutes = seconds // 60", "minutes = seconds // 60 % 60"},
           {"return ring[at + 1]", "return ring[(at + 1) % limit]"},
           {"return kth(above, stack)", "return kth(above, stack - limit)"}}) {
    CHECK_MESSAGE(has(line, mutant, kFunction), line);
  }
  CHECK(!has("best = best + x;", "best = max(0, best + x;)"));
  CHECK(has("  bits = n + 1;", "  bits = (n + 1) * 8;", "if (n > 8) n = 1;"));
  CHECK(has("  bytes = n;", "  bytes = n / 8;", "if (n > 8) n = 1;"));
  CHECK(!has("  bits = n;", "  bits = n * 1;", "if (n > 8) n = 1;"));
  CHECK(!has("list: List[] = f()", "list: List[[]] = f()"));
  for (const char* line : {"f(", "f(]", "x = [", "if :", "f(a", "a.b.", "x = "}) lines_of(line);
}

TEST_CASE("mutants: kinds with few mutants are first, and each kind gets its share") {
  std::vector<Mutant> all;
  const auto add = [&all](MutantKind kind, std::size_t count) {
    for (std::size_t rank = 0; rank < count; ++rank) all.push_back({"", kind, rank, all.size()});
  };
  add(MutantKind::kTerm, 100);
  add(MutantKind::kVariable, 10);
  add(MutantKind::kComparison, 2);
  sort_by_chance(all);
  CHECK(all[0].kind == MutantKind::kComparison);
  CHECK(all[1].kind == MutantKind::kComparison);
  CHECK(all[2].kind == MutantKind::kVariable);
  CHECK(all[2].rank == 0);
  CHECK(all[11].kind == MutantKind::kVariable);
  CHECK(all.back().place == 99);
  std::vector<Mutant> none;
  sort_by_chance(none);
}

namespace {

// Returns the function with each of the line's variants of other places.
std::vector<std::string> functions_with(std::string_view function, std::string_view text) {
  std::vector<std::string> functions;
  const std::size_t at = function.find(text);
  const std::size_t begin = function.rfind('\n', at) + 1;
  const std::size_t end = std::min(function.find('\n', at), function.size());
  for (const Mutant& mutant : mutants_of(function.substr(begin, end - begin), function)) {
    if (mutant.kind < MutantKind::kPlace) continue;
    std::size_t after = end;
    for (std::size_t i = 0; i < mutant.more; ++i) {
      after = std::min(function.find('\n', after + 1), function.size());
    }
    functions.push_back(std::string(function).replace(begin, after - begin, mutant.line));
  }
  return functions;
}

}  // namespace

TEST_CASE("mutants: a statement after its block, inside a block, and in another order") {
  struct Row {
    const char* function;
    const char* line;
    std::vector<std::string> expected;
  };
  const Row rows[] = {
      {"def f(a):\n    for x in a:\n        g(x)\n        return x",
       "return",
       {"def f(a):\n    for x in a:\n        g(x)\n    return x"}},
      {"def f(a):\n    for x in a:\n        g(x)\n    h(x)",
       "h(x)",
       {"def f(a):\n    for x in a:\n        g(x)\n        h(x)"}},
      {"int f() {\n  while (a) {\n    g();\n    return 1;\n  }\n}",
       "return",
       {"int f() {\n  while (a) {\n    g();\n  }\n  return 1;\n}"}},
      {"func f() {\n\tfor _, x := range a {\n\t\tn += x\n\t\tm(x)\n\t}\n}",
       "n += x",
       {"func f() {\n\tfor _, x := range a {\n\t\tm(x)\n\t\tn += x\n\t}\n}"}},
      // The block would be empty; the head of the function is no block.
      {"def f(a):\n    for x in a:\n        return x", "return", {}},
      {"def f(a):\n    g(a)\n    return a", "return", {}},
      // An else would lose its if.
      {"def f(a):\n    if a:\n        g(a)\n        h(a)\n    else:\n        k(a)", "h(a)", {}},
      // Parts of a statement stay.
      {"def f(a):\n    for x in a:\n        g(x)\n        h(x,\n          1)", "h(x", {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.function);
    CHECK(functions_with(row.function, row.line) == row.expected);
  }
}

TEST_CASE("mutants: a counter is set back if its condition fails") {
  struct Row {
    const char* function;
    const char* line;
    const char* expected;  // "": none
  };
  const Row rows[] = {
      {"def f(a):\n    n = 0\n    for x in a:\n        if x:\n            n += 1\n    return n",
       "n +=",
       "def f(a):\n    n = 0\n    for x in a:\n        if x:\n            n += 1\n"
       "        else:\n            n = 0\n    return n"},
      {"def f(a):\n    part = []\n    for x in a:\n        if x:\n            part.append(x)",
       "append",
       "def f(a):\n    part = []\n    for x in a:\n        if x:\n            part.append(x)\n"
       "        else:\n            part = []"},
      {"int f() {\n  int n = 0;\n  while (g()) {\n    if (h()) {\n      n++;\n    }\n  }\n}", "n++",
       "int f() {\n  int n = 0;\n  while (g()) {\n    if (h()) {\n      n++;\n    } else {\n"
       "      n = 0;\n    }\n  }\n}"},
      // No counter, no first value, or an else that exists.
      {"def f(a):\n    n = 0\n    if a:\n        n = 2", "n = 2", ""},
      {"def f(a, n):\n    if a:\n        n += 2", "n += 2", ""},
      {"def f(a):\n    n = 0\n    if a:\n        n += 2\n    else:\n        n -= 1", "n += 2", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.function);
    const auto all = functions_with(row.function, row.line);
    const bool is_found = std::find(all.begin(), all.end(), row.expected) != all.end();
    CHECK(is_found == (row.expected[0] != 0));
    if (row.expected[0] == 0) CHECK(all.empty());
  }
}
