#include "format/call_parser.h"

#include <algorithm>

namespace pedro {

CallParser::CallParser(CallSyntax syntax, std::span<const CallBranch> known,
                       const CallLimits& limits, CallChecks checks)
    : tools_(known, checks),
      limits_(limits),
      out_(reply_, tools_, limits),
      reader_(reader_of(syntax)) {}

CallParser::Reader CallParser::reader_of(CallSyntax syntax) {
  switch (syntax) {
    case CallSyntax::kTags:
      return TagCallReader();
    case CallSyntax::kMistral:
      return MistralCallReader();
    case CallSyntax::kDeepseek:
      return DeepseekCallReader();
    case CallSyntax::kHarmony:
      return HarmonyCallReader();
    case CallSyntax::kGlm:
      return KeyValueCallReader();
    default:
      return JsonCallReader(syntax);
  }
}

void CallParser::read() {
  std::visit([&](auto& reader) { reader.read(reply_, out_); }, reader_);
}

void CallParser::feed(std::string_view piece) {
  const std::size_t left = limits_.max_bytes - reply_.text().size();
  reply_.append(piece.substr(0, left));
  read();
  if (piece.size() > left) out_.reject_length();
}

void CallParser::finish() {
  reply_.end();
  read();
  out_.finish();
  const bool found_any = std::visit([](const auto& reader) { return reader.found_any(); }, reader_);
  if (!found_any && !out_.full()) read_again();
}

void CallParser::read_again() {
  again_.emplace(reply_, tools_, limits_);
  reply_.at = 0;
  JsonCallReader(CallSyntax::kJson).read(reply_, *again_);
  again_->finish();
}

std::vector<CallPart> parse_calls(std::string_view reply, CallSyntax syntax,
                                  std::span<const CallBranch> known, CallChecks checks) {
  CallParser parser(syntax, known, {}, checks);
  parser.feed(reply);
  parser.finish();
  return parser.parts();
}

}  // namespace pedro
