#include <doctest/doctest.h>
#include <fmt/format.h>

#include "context/ledger.h"

namespace pedro {
namespace {

CallFacts call(CallKind kind, const std::string& name, bool ok = true) {
  CallFacts facts;
  facts.kind = kind;
  facts.tool = "t";
  facts.call = name;
  facts.target = name;
  facts.ok = ok;
  return facts;
}

std::string no_state(const std::string&) {
  return "";
}

}  // namespace

TEST_CASE("digest: lists the outcomes of calls, each kind in its section") {
  Digest digest;
  digest.add(call(CallKind::kLook, "file read a.c"), "int main");
  CallFacts edit = call(CallKind::kLook, "code_edit b.c");
  edit.changed = {"b.c"};
  digest.add(edit, "done");
  CallFacts make = call(CallKind::kCommand, "bash make", false);
  make.outcome = "[exit 2]";
  digest.add(make, "b.c:3: error\n[exit 2]");
  CallFacts note = call(CallKind::kNote, "port");
  note.outcome = "it is 8080";
  digest.add(note, "noted: port");
  CallFacts end = call(CallKind::kDecision, "plan");
  end.outcome = R"({"steps":["one"]})";
  digest.add(end, "Accepted.");
  auto sections =
      digest.sections(4000, [](const std::string& path) { return "(hash of " + path + ")"; });
  CHECK(sections["changed"] == "b.c (hash of b.c)");
  CHECK(sections["read"] == "file read a.c");
  CHECK(sections["commands"] == "bash make: [exit 2]");
  CHECK(sections["failed"] == "bash make: b.c:3: error\n[exit 2]");
  CHECK(sections["notes"] == "port: it is 8080");
  CHECK(sections["decisions"] == R"(plan: {"steps":["one"]})");
}

TEST_CASE("digest: a fixed failure disappears, and a repeated note replaces the first") {
  Digest digest;
  digest.add(call(CallKind::kLook, "file read a.c", false), "there is none");
  CHECK(digest.sections(1000, no_state)["failed"] == "file read a.c: there is none");
  digest.add(call(CallKind::kLook, "file read a.c"), "x");
  CHECK(digest.sections(1000, no_state)["failed"] == "-");
  CallFacts note = call(CallKind::kNote, "n");
  for (const char* text : {"first", "second"}) {
    note.outcome = text;
    digest.add(note, "");
  }
  CHECK(digest.sections(1000, no_state)["notes"] == "n: second");
}

TEST_CASE("digest: a failure can be fixed even if its name was cut inside a character") {
  Digest digest;
  const std::string name = std::string(159, 'x') + "\u00E9 and more";
  digest.add(call(CallKind::kLook, name, false), "there is none");
  CHECK(digest.sections(1000, no_state)["failed"] == std::string(159, 'x') + ": there is none");
  digest.add(call(CallKind::kLook, name), "x");
  CHECK(digest.sections(1000, no_state)["failed"] == "-");
}

TEST_CASE("digest: lists a failure if only its result left, and not once it is fixed") {
  Digest digest;
  CHECK(digest.empty());
  digest.add_failure(call(CallKind::kCommand, "bash make", false), "b.c:3: error");
  CHECK(!digest.empty());
  CHECK(digest.exchanges() == 0);
  CHECK(digest.sections(1000, no_state)["failed"] == "bash make: b.c:3: error");
  digest.add(call(CallKind::kCommand, "bash lint", false), "c.c:1: long", true);
  CHECK(digest.sections(1000, no_state)["failed"] == "bash make: b.c:3: error");
  digest.add(call(CallKind::kCommand, "bash make"), "");
  CHECK(digest.sections(1000, no_state)["failed"] == "-");
}

TEST_CASE("digest: stays as small as it has to be, with the newest of each") {
  Digest digest;
  for (int i = 0; i < 1000; ++i) {
    digest.add(call(CallKind::kLook, fmt::format("file read {}.c", i)), "x");
    CallFacts edit = call(CallKind::kLook, "e");
    edit.changed = {fmt::format("{}.c", i)};
    digest.add(edit, "");
    digest.add(call(CallKind::kCommand, fmt::format("bash {}", i), false), std::string(5000, 'f'));
  }
  for (const std::size_t max_bytes : {100, 300, 1000, 3000}) {
    std::size_t bytes = 0;
    const auto sections = digest.sections(max_bytes, no_state);
    for (const auto& [name, text] : sections) bytes += text == "-" ? 0 : text.size();
    CHECK(bytes <= max_bytes);
    CHECK(sections.at("changed").ends_with("999.c"));
  }
}

}  // namespace pedro
