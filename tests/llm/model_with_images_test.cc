#include "llm/model_with_images.h"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pedro {
namespace {

const std::string kPng = std::string("\x89PNG\r\n\x1a\n", 8) + "pixels";

// Records the text of the last message, and the functions that were called.
struct NotedModel : Model {
  explicit NotedModel(std::optional<bool> takes_images) : takes(takes_images) {}

  Result<ModelInfo> open() override {
    called += "open ";
    ModelInfo info;
    info.takes_images = takes;
    return info;
  }
  Result<Reply> generate(const GenerateRequest& request) override {
    if (on_request) on_request(request);
    note("generate ", request.chat);
    return Reply{};
  }
  Result<std::size_t> together(std::span<const GenerateRequest> requests) override {
    note("together ", requests.back().chat);
    return requests.size();
  }
  void begin_anew() override { called += "begin_anew "; }
  void withdraw() override { called += "withdraw "; }
  Result<Reply> ask_aside(const GenerateRequest& request) override {
    note("ask_aside ", request.chat);
    return Reply{};
  }
  Status restore(const GenerateRequest& request, const Reply&, Asked) override {
    note("restore ", request.chat);
    return {};
  }
  Result<std::optional<long long>> count_prompt(const GenerateRequest& request) override {
    note("count_prompt ", request.chat);
    return std::optional<long long>(5);
  }
  bool counts_exactly() const override { return true; }
  long long count_text(std::string_view text) override {
    called += "count_text ";
    return static_cast<long long>(text.size());
  }
  Status compacted(const ChatRequest& chat, std::span<const std::size_t>) override {
    note("compacted ", chat);
    return {};
  }
  void note(const char* function, const ChatRequest& chat) {
    called += function;
    seen = text_of(chat.messages.back());
  }

  std::optional<bool> takes;
  std::function<void(const GenerateRequest&)> on_request;
  std::string called;
  std::string seen;
};

// Overrides nothing.
struct PlainForward : ForwardingModel {
  explicit PlainForward(Model& model) : ForwardingModel(model) {}
};

// Calls every function of a model that passes all calls on to `noted`.
void call_each(Model& model, NotedModel& noted) {
  ChatRequest chat;
  chat.messages = {text_message(Role::kUser, "Hello")};
  const GenerateRequest request{.chat = chat};
  CHECK(model.open().ok());
  CHECK(model.generate(request).ok());
  CHECK(model.together({&request, 1}).value() == 1);
  CHECK(model.ask_aside(request).ok());
  CHECK(model.restore(request, {}, Asked::kAside).ok());
  CHECK(model.count_prompt(request).value() == 5);
  CHECK(model.compacted(chat, {}).ok());
  model.begin_anew();
  model.withdraw();
  CHECK(model.counts_exactly());
  CHECK(model.count_text("abc") == 3);
  CHECK(noted.called ==
        "open generate together ask_aside restore count_prompt compacted begin_anew withdraw "
        "count_text ");
}

struct ImageBench {
  std::unique_ptr<ModelWithImages> model(std::optional<bool> own_takes, bool own_takes_messages,
                                         std::optional<bool> messages_take = {}) {
    ModelWithImages::Parts parts;
    auto made = std::make_unique<NotedModel>(own_takes);
    own = made.get();
    parts.own = std::move(made);
    parts.own_takes_messages = own_takes_messages;
    if (messages_take) {
      auto other = std::make_unique<NotedModel>(messages_take);
      messages = other.get();
      parts.as_messages = std::move(other);
    }
    parts.describe = [this](const std::string&) -> Result<std::string> {
      ++described;
      if (description.empty()) return Error{ErrorKind::kModel, "no model takes images"};
      return description;
    };
    return std::make_unique<ModelWithImages>(std::move(parts), images);
  }

  // Calls every function with a message that has the mark. Returns the texts that `target` got.
  std::vector<std::string> call_all(Model& model, const NotedModel& target) {
    ChatRequest chat;
    chat.messages = {text_message(Role::kUser, "Look: " + mark)};
    const GenerateRequest request{.chat = chat};
    std::vector<std::string> seen;
    const auto note = [&](bool ok) {
      CHECK(ok);
      seen.push_back(target.seen);
    };
    note(model.generate(request).ok());
    note(model.together({&request, 1}).value() == 1);
    note(model.ask_aside(request).ok());
    note(model.restore(request, {}, Asked::kAside).ok());
    note(model.count_prompt(request).value() == 5);
    note(model.compacted(chat, {}).ok());
    return seen;
  }

  FakeFileSystem files;
  ImageFolder images{files, "/job/images"};
  std::string mark;
  NotedModel* own = nullptr;
  NotedModel* messages = nullptr;
  std::string description = "a red square";
  int described = 0;

  void add_image() { mark = images.add(*image_of(kPng)).value(); }
};

}  // namespace

TEST_CASE("forwarding model: every function is passed on") {
  NotedModel noted(false);
  PlainForward forward(noted);
  call_each(forward, noted);
}

TEST_CASE("model with images: without images every function is passed on unchanged") {
  ImageBench bench;
  const auto model = bench.model(false, false);
  call_each(*model, *bench.own);
  CHECK(bench.own->seen == "Hello");
  CHECK(bench.described == 0);
}

TEST_CASE("model with images: a request with descriptions keeps all its settings") {
  ImageBench bench;
  bench.add_image();
  const auto model = bench.model(false, false);
  REQUIRE(model->open().ok());
  ChatRequest chat;
  chat.messages = {text_message(Role::kUser, bench.mark)};
  const std::vector<CallBranch> calls(1);
  const std::vector<BiasedText> biases(2);
  const std::vector<ToolBias> tool_biases(3);
  const std::vector<std::string> stops = {"x"};
  const GenerateRequest sent{.chat = chat,
                             .calls = calls,
                             .mode = GenerationMode::kHybrid,
                             .biases = biases,
                             .tool_biases = tool_biases,
                             .temperature = 0.7,
                             .max_tokens = 9,
                             .seed = 5,
                             .text_grammar = "g",
                             .stops = stops,
                             .ends_at_loop = true,
                             .thinking_tokens = 8};
  bench.own->on_request = [&](const GenerateRequest& got) {
    CHECK(&got.chat != &chat);
    CHECK(got.calls.data() == calls.data());
    CHECK(got.mode == GenerationMode::kHybrid);
    CHECK(got.biases.data() == biases.data());
    CHECK(got.tool_biases.data() == tool_biases.data());
    CHECK(got.temperature == 0.7);
    CHECK(got.max_tokens == 9);
    CHECK(got.seed == 5u);
    CHECK(got.text_grammar == "g");
    CHECK(got.stops.data() == stops.data());
    CHECK(got.ends_at_loop);
    CHECK(got.thinking_tokens == 8);
  };
  CHECK(model->generate(sent).ok());
  CHECK(bench.own->called == "open generate ");
}

TEST_CASE("model with images: a server whose model takes them continues with messages") {
  ImageBench bench;
  bench.add_image();
  const auto model = bench.model(false, false, true);
  REQUIRE(model->open().ok());
  for (const std::string& seen : bench.call_all(*model, *bench.messages)) {
    CHECK(seen == "Look: " + bench.mark);
  }
  CHECK(bench.own->called.empty());
  CHECK(bench.described == 0);
}

TEST_CASE("model with images: a model that may take them gets them") {
  for (const auto takes : {std::optional<bool>(true), std::optional<bool>()}) {
    ImageBench bench;
    bench.add_image();
    const auto model = bench.model(takes, true);
    REQUIRE(model->open().ok());
    for (const std::string& seen : bench.call_all(*model, *bench.own)) {
      CHECK(seen == "Look: " + bench.mark);
    }
    CHECK(bench.described == 0);
  }
}

TEST_CASE("model with images: for other models an image is described once") {
  for (const bool takes_messages : {false, true}) {
    CAPTURE(takes_messages);
    ImageBench bench;
    bench.add_image();
    const auto model = bench.model(false, takes_messages,
                                   takes_messages ? std::nullopt : std::optional<bool>(false));
    REQUIRE(model->open().ok());
    for (const std::string& seen : bench.call_all(*model, *bench.own)) {
      CHECK(seen.starts_with("Look: " + bench.mark + "\n[description of the image "));
      CHECK(seen.find("begins]\na red square\n[") != std::string::npos);
    }
    CHECK(bench.described == 1);
    const auto later = bench.model(false, takes_messages);  // of a resumed job
    REQUIRE(later->open().ok());
    CHECK(bench.described == 1);
  }
}

TEST_CASE("model with images: without any model for them, a job with images does not start") {
  ImageBench bench;
  bench.description = "";
  const auto model = bench.model(false, false);
  REQUIRE(model->open().ok());
  bench.add_image();  // by a tool of the running job
  for (const std::string& seen : bench.call_all(*model, *bench.own)) {
    CHECK(seen == "Look: " + bench.mark + "\n(not shown: no model takes images)");
  }
  const auto other = bench.model(false, false);
  CHECK(other->open().error().message == "no model takes images");
}

}  // namespace pedro
