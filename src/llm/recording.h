#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "format/call_syntax.h"
#include "llm/model.h"
#include "sys/file_system.h"

namespace pedro {

/// How many messages at the beginning of a compacted conversation are what they were: what comes
/// behind them is recorded, and compared, once more.
std::size_t unchanged_messages(std::span<const std::size_t> origins);

/// Passes everything on to `inner` and appends what was asked and answered to a file, so that the
/// session can be run again without a model. One JSON object a line; the format is described in
/// docs/recording.md. Borrows `files`, owns `inner`.
class RecordingModel : public Model {
 public:
  /// Returns the habits of a session. A replay uses the same.
  using FindHabits = std::function<AnswerHabits(const ModelInfo& info)>;

  RecordingModel(std::unique_ptr<Model> inner, FileSystem& files, std::string path,
                 FindHabits habits = nullptr)
      : inner_(std::move(inner)),
        files_(&files),
        path_(std::move(path)),
        habits_(std::move(habits)) {}

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  Result<Reply> ask_aside(const GenerateRequest& request) override;
  Status restore(const GenerateRequest& request, const Reply& reply, Asked where) override;
  void withdraw() override { inner_->withdraw(); }
  void begin_anew() override {
    inner_->begin_anew();
    recorded_ = 0;
  }
  Result<std::optional<long long>> count_prompt(const GenerateRequest& request) override;
  bool counts_exactly() const override { return inner_->counts_exactly(); }
  long long count_text(std::string_view text) override;
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override;

 private:
  Status record(const GenerateRequest& request, const Reply& reply, Asked where);

  std::unique_ptr<Model> inner_;
  FileSystem* files_;
  std::string path_;
  FindHabits habits_;
  std::size_t recorded_ = 0;       // of the messages
  std::vector<long long> counts_;  // since the last call; -1: not known
};

/// Answers from a recording. Every request is compared with the recorded one, message by message;
/// the first difference is an Error (kModel) that shows both sides and where.
class ReplayModel : public Model {
 public:
  /// `name` is used in errors. open() parses the text. `on_notice` receives the notices about loops
  /// again.
  ReplayModel(std::string name, std::string text,
              std::function<void(std::string_view message)> on_notice = nullptr)
      : name_(std::move(name)), text_(std::move(text)), on_notice_(std::move(on_notice)) {}

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  Result<Reply> ask_aside(const GenerateRequest& request) override;
  Status restore(const GenerateRequest& request, const Reply& reply, Asked where) override;
  void begin_anew() override { compared_ = 0; }
  Result<std::optional<long long>> count_prompt(const GenerateRequest& request) override;
  bool counts_exactly() const override { return counts_exactly_; }
  long long count_text(std::string_view text) override;
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override;

 private:
  // A message as it is compared.
  struct Turn {
    std::string role;
    std::string text;
  };
  struct Call {
    std::string type;         // "call" or "aside"
    std::vector<Turn> turns;  // new since the call before
    std::string tools;        // their hash
    std::vector<long long> counts;
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
  std::size_t next_count_ = 0;  // of that call
  std::size_t compared_ = 0;    // of the messages
  CallSyntax syntax_ = CallSyntax::kJson;
  bool counts_exactly_ = false;
};

}  // namespace pedro
