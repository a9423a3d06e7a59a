#pragma once

#include <memory>
#include <string>
#include <vector>

#include "llm/model.h"
#include "sys/file_system.h"

namespace pedro {

/// Passes everything on to `inner` and appends what was asked and answered to a file, so that the
/// session can be run again without a model. One JSON object a line; the format is described in
/// docs/recording.md. Borrows `files`, owns `inner`.
class RecordingModel : public Model {
 public:
  RecordingModel(std::unique_ptr<Model> inner, FileSystem& files, std::string path)
      : inner_(std::move(inner)), files_(&files), path_(std::move(path)) {}

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  Result<long long> count(std::span<const Message> conversation) override {
    return inner_->count(conversation);
  }

 private:
  std::unique_ptr<Model> inner_;
  FileSystem* files_;
  std::string path_;
  std::size_t recorded_turns_ = 0;
};

/// Answers from a recording. Every request is compared with the recorded one, turn by turn; the
/// first difference is an Error (kModel) that shows both sides and where.
class ReplayModel : public Model {
 public:
  /// `name` stands in errors. The text is parsed by open().
  ReplayModel(std::string name, std::string text)
      : name_(std::move(name)), text_(std::move(text)) {}

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  /// An estimate of three bytes a token: a recording has no vocabulary.
  Result<long long> count(std::span<const Message> conversation) override;

 private:
  struct Call {
    std::vector<Message> turns;  // new since the call before
    std::string grammar;         // its hash
    Reply reply;
  };
  Status add_call(const Json& line);

  std::string name_;
  std::string text_;
  std::vector<Call> calls_;
  std::size_t next_call_ = 0;
  std::size_t compared_turns_ = 0;
};

}  // namespace pedro
