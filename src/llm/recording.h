#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "call_parser/call_syntax.h"
#include "llm/forwarding_model.h"
#include "sys/file_system.h"

namespace pedro {

/// Returns the number of unchanged messages at the start of a compacted conversation. The messages
/// after them are recorded and compared again.
std::size_t unchanged_messages(std::span<const std::size_t> origins);

/// Forwards to `inner` and appends requests and replies to a file, to replay the session without a
/// model. Writes one JSON object per line; docs/recording.md describes the format. Borrows `files`,
/// owns `inner`.
class RecordingModel : public ForwardingModel {
 public:
  /// Returns the habits of a session. A replay uses the same.
  using FindHabits = std::function<AnswerHabits(const ModelInfo& info)>;

  RecordingModel(std::unique_ptr<Model> inner, FileSystem& files, std::string path,
                 FindHabits habits = nullptr)
      : ForwardingModel(*inner),
        inner_(std::move(inner)),
        files_(&files),
        path_(std::move(path)),
        habits_(std::move(habits)) {}

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  Result<Reply> ask_aside(const GenerateRequest& request) override;
  Status restore(const GenerateRequest& request, const Reply& reply, Asked where) override;
  Result<std::size_t> together(std::span<const GenerateRequest> requests) override;
  void begin_anew() override {
    inner_->begin_anew();
    recorded_ = 0;
  }
  Result<std::optional<long long>> count_prompt(const GenerateRequest& request) override;
  long long count_text(std::string_view text) override;
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override;

 private:
  Status record(const GenerateRequest& request, const Reply& reply, Asked where);

  std::unique_ptr<Model> inner_;
  FileSystem* files_;
  std::string path_;
  FindHabits habits_;
  std::size_t recorded_ = 0;       // number of messages
  std::vector<long long> counts_;  // since the last call; -1: unknown
  std::size_t together_ = 1;       // result of together() since the last call
};

/// Replays a recording. Compares every request with the recorded one, message by message. The first
/// difference is an Error (kModel) with its position and both sides.
class ReplayModel : public Model {
 public:
  /// Uses `name` in errors. open() parses the text. `on_notice` receives the notices about loops
  /// again.
  ReplayModel(std::string name, std::string text,
              std::function<void(std::string_view message)> on_notice = nullptr)
      : name_(std::move(name)), text_(std::move(text)), on_notice_(std::move(on_notice)) {}

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  Result<Reply> ask_aside(const GenerateRequest& request) override;
  Status restore(const GenerateRequest& request, const Reply& reply, Asked where) override;
  /// Returns the recorded number, so that a replay makes the same requests in the same order.
  Result<std::size_t> together(std::span<const GenerateRequest> requests) override;
  void begin_anew() override { compared_ = 0; }
  Result<std::optional<long long>> count_prompt(const GenerateRequest& request) override;
  bool counts_exactly() const override { return counts_exactly_; }
  long long count_text(std::string_view text) override;
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override;

 private:
  // A message in its comparable form.
  struct Turn {
    std::string role;
    std::string text;
  };
  struct Call {
    std::string type;         // "call" or "aside"
    std::vector<Turn> turns;  // since the previous call
    std::string tools;        // hash of the tools
    std::vector<long long> counts;
    std::size_t together = 1;
    Reply reply;
  };
  Status add_call(const Json& line);
  std::optional<long long> next_count();
  Result<Reply> answer(std::string_view type, const GenerateRequest& request, std::size_t from);

  std::string name_;
  std::string text_;
  std::function<void(std::string_view message)> on_notice_;
  std::vector<Call> calls_;
  std::size_t next_call_ = 0;
  std::size_t next_count_ = 0;  // in the current call
  std::size_t compared_ = 0;    // number of messages
  CallSyntax syntax_ = CallSyntax::kJson;
  bool counts_exactly_ = false;
};

}  // namespace pedro
