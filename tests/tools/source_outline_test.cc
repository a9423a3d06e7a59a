#include "tools/source_outline.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("source outline: the name a line defines") {
  struct Row {
    Language language;
    const char* line;
    const char* name;  // "": no definition
  };
  constexpr auto kCpp = Language::kCpp;
  constexpr auto kPy = Language::kPython;
  constexpr auto kGo = Language::kGo;
  constexpr auto kRs = Language::kRust;
  constexpr auto kJs = Language::kJavaScript;
  constexpr auto kTs = Language::kTypeScript;
  constexpr auto kJava = Language::kJava;
  const Row rows[] = {
      {kCpp, "class Foo {", "Foo"},
      {kCpp, "class Foo final : public Bar {", "Foo"},
      {kCpp, "class Foo;", ""},
      {kCpp, "enum class Color { kRed };", "Color"},
      {kCpp, "template <typename T> struct Box {", "Box"},
      {kCpp, "namespace a::b {", "b"},
      {kCpp, "using Row = std::vector<int>;", "Row"},
      {kCpp, "#define LIMIT 3", "LIMIT"},
      {kCpp, "#include <x>", ""},
      {kCpp, "int main() {", "main"},
      {kCpp, "std::string Foo::name(int x) const {", "name"},
      {kCpp, "Foo::Foo(int x)", "Foo"},
      {kCpp, "struct stat get_stat(const char* path) {", "get_stat"},
      {kCpp, "static bool is_it(int x,", "is_it"},
      {kCpp, "  return compute(x);", ""},
      {kCpp, "  compute(x);", ""},
      {kCpp, "  if (compute(x)) {", ""},
      {kCpp, "  } else if (x) {", ""},
      {kCpp, "int f(int x);", ""},
      {kCpp, "  auto x = make(1,", ""},
      {kCpp, "// class Foo {", ""},
      {kPy, "class Foo(Bar):", "Foo"},
      {kPy, "    async def go(self):", "go"},
      {kPy, "# def no():", ""},
      {kPy, "definitely = 1", ""},
      {kGo, "func (s *Server) Run(ctx Context) error {", "Run"},
      {kGo, "func main() {", "main"},
      {kGo, "type Server struct {", "Server"},
      {kGo, "var Version = \"1\"", "Version"},
      {kGo, "\tvar x = 1", ""},
      {kRs, "pub(crate) async fn run<T>(x: T) -> u8 {", "run"},
      {kRs, "pub const fn zero() -> u8 {", "zero"},
      {kRs, "impl<T> Display for Wrapper<T> {", "Wrapper"},
      {kRs, "impl Wrapper {", "Wrapper"},
      {kRs, "macro_rules! vec {", "vec"},
      {kRs, "    let x = 1;", ""},
      {kJs, "export default function go(x) {", "go"},
      {kJs, "export const add = (a, b) => a + b;", "add"},
      {kJs, "  const x = 1;", ""},
      {kJs, "  render() {", "render"},
      {kJs, "  if (x) {", ""},
      {kTs, "export interface Props {", "Props"},
      {kTs, "export type Id = string;", "Id"},
      {kJava, "public final class Foo extends Bar {", "Foo"},
      {kJava, "  public static void main(String[] args) {", "main"},
      {kJava, "  private int count;", ""},
      {Language::kUnknown, "def foo", "foo"},
      {Language::kUnknown, "function foo()", "foo"},
      {Language::kUnknown, "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.line);
    CHECK(std::string(defined_name(row.language, row.line).value_or("")) == row.name);
  }
}

TEST_CASE("source outline: hostile lines") {
  CHECK(!defined_name(Language::kCpp, std::string(1 << 20, '<')));
  CHECK(!defined_name(Language::kCpp, "template"));
  CHECK(!defined_name(Language::kRust, "impl"));
  CHECK(!defined_name(Language::kGo, "func"));
  CHECK(!defined_name(Language::kJavaScript, "const"));
}

}  // namespace pedro
