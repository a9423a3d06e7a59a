// Tests the choice of a tokenizer for a real llama-server: its model's file, as long as the server
// uses the same file. with-server provides the path. The tests change the file while the server
// continues with the old contents.
#include <filesystem>

#include "base/json.h"
#include "llama/session.h"
#include "support/read_file.h"
#include "tokenizer/small_vocabulary.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

/// The file in which the server reports its model.
class ModelFile {
 public:
  ModelFile() : path_(std::getenv("WITH_SERVER_MODEL")), real_(fs::read_symlink(path_)) {}
  ~ModelFile() {
    fs::remove(path_);
    fs::create_symlink(real_, path_);
  }

  std::string read() const { return read_file(real_); }
  void become(const std::string& bytes) const {
    fs::remove(path_);
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  void vanish() const { fs::remove(path_); }

 private:
  fs::path path_;
  fs::path real_;
};

// Encodes a text like a GGUF file.
std::string with_size(const std::string& text) {
  return std::string(1, static_cast<char>(text.size())) + std::string(7, '\0') + text;
}

// Swaps the texts of two tokens in the file.
std::string swapped(std::string file, const std::string& a, const std::string& b) {
  const std::size_t at_a = file.find(with_size(a));
  const std::size_t at_b = file.find(with_size(b));
  REQUIRE(at_a != std::string::npos);
  REQUIRE(at_b != std::string::npos);
  file.replace(at_a + 8, b.size(), b);
  return file.replace(at_b + 8, a.size(), a);
}

// Returns the server's token ids of `"action"`, as printed by our program.
std::string encoded(Session& session, std::string& note) {
  const std::string path = session.folder.write("text", "\"action\"");
  const ProcessResult result = session.pedrocli({"tokens", "encode", path});
  note = result.err;
  return result.out;
}

}  // namespace

TEST_CASE("llama tokenizer: one token's text in the file is another one") {
  const ModelFile file;
  file.become(swapped(file.read(), "action", "module"));
  Session session;
  std::string note;
  CHECK(encoded(session, note) == "1 1311 1\n");
  CAPTURE(note);
  CHECK(note.starts_with(
      "pedrocli: note: text is tokenized by the server itself: the model's file "));
  CHECK(note.find("has different ids: in the probe text ") != std::string::npos);
  CHECK(note.find("the server has 1311:\"action\"") != std::string::npos);

  const ProcessResult doctor = session.pedrocli({"doctor"});
  CAPTURE(doctor.out);
  CHECK(doctor.out.find("weak tokenizer  the server itself: the model's file ") !=
        std::string::npos);
  CHECK(doctor.exit_code == 0);

  const ProcessResult build = session.pedrocli({"build", "-issue", "7", "-max-rounds", "3"});
  CAPTURE(build.err);
  CHECK((build.exit_code == 5 || build.exit_code == 6 || build.exit_code == 9));
  CHECK(build.err.find("the server has 1311:\"action\"") != std::string::npos);
  int turns = 0;
  for (const Json& event : session.journal()) {
    if (text_of(event, "type") != "turn.completed" || ++turns == 1) continue;
    CHECK(number_of(member(event, "usage"), "cached_input_tokens") ==
          number_of(member(event, "cache"), "expected_tokens"));
  }
  CHECK(turns == 3);
}

TEST_CASE("llama tokenizer: a rare token is another one, which doctor finds") {
  const ModelFile file;
  file.become(swapped(file.read(), "gzip", "ZERO"));
  Session session;
  const ProcessResult doctor = session.pedrocli({"doctor"});
  CAPTURE(doctor.out);
  CHECK(doctor.out.find("ok   tokenizer  the model's file ") != std::string::npos);
  CHECK(
      doctor.out.find("weak tokens     in the probe text 'a token of its own', special tokens off, "
                      "at byte 0, \"ZERO\": the server has ") != std::string::npos);
  CHECK(doctor.exit_code == 0);
}

TEST_CASE("llama tokenizer: the path has another vocabulary, a broken file, or none") {
  const ModelFile file;
  Session session;
  std::string note;
  file.become(small_gguf({"th", "the"}));
  CHECK(encoded(session, note) == "1 1311 1\n");
  CHECK(note.find(
            " has different ids: in the probe text 'letters', special tokens off, at byte 0, ") !=
        std::string::npos);
  for (const bool broken : {true, false}) {
    if (broken) file.become("GGUF");
    if (!broken) file.vanish();
    CHECK(encoded(session, note) == "1 1311 1\n");
    CHECK(note == "");
    const ProcessResult doctor = session.pedrocli({"doctor"});
    CAPTURE(doctor.out);
    CHECK(doctor.out.find("ok   tokenizer  the server itself: ") != std::string::npos);
  }
}

TEST_CASE(
    "llama tokenizer: the debug flag shows that `action` is token 1311, in the job's file too") {
  for (const bool local : {true, false}) {
    CAPTURE(local);
    const ModelFile file;
    if (!local) file.vanish();
    Session session;
    const ProcessResult result = session.pedrocli(
        {"build", "-description", "action {\"action\": \"x", "-max-rounds", "1", "-debug=tokens"});
    CAPTURE(result.err);
    CHECK(result.err.find("debug tokens: by ") != std::string::npos);
    CHECK(result.err.find("!:\"<|im_start|>\"") != std::string::npos);
    CHECK(result.err.find(" 1311:\"action\"") != std::string::npos);
    CHECK(result.err.find(" 5212:\" {\\\"\" 1311:\"action\" 788:\"\\\":\"") != std::string::npos);
    const std::vector<Json> events = session.lines_of("tokens.jsonl");
    REQUIRE(events.size() > 3);
    CHECK(text_of(events[0], "type") == "tokenizer");
    CHECK((text_of(events[0], "by") == "server") == !local);
    bool found = false;
    for (const Json& event : events) {
      CHECK(text_of(event, "ts").size() == 24);
      const std::string line = to_line(event);
      found = found || line.find(R"({"id":1311,"text":"action"})") != std::string::npos;
    }
    CHECK(found);
  }
}

}  // namespace pedro
