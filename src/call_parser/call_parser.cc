#include "call_parser/call_parser.h"

#include <algorithm>

namespace pedro {
namespace {

std::unique_ptr<CallReader> new_reader(CallSyntax syntax) {
#define PEDRO_MAKE_READER(id, name, make) make,
  constexpr std::unique_ptr<CallReader> (*kMakers[])() = {PEDRO_CALL_SYNTAXES(PEDRO_MAKE_READER)};
#undef PEDRO_MAKE_READER
  return kMakers[static_cast<std::size_t>(syntax)]();
}

}  // namespace

CallParser::CallParser(CallSyntax syntax, std::span<const CallBranch> known,
                       const CallLimits& limits, CallChecks checks)
    : tools_(known, checks),
      limits_(limits),
      out_(reply_, tools_, limits),
      reader_(new_reader(syntax)) {}

void CallParser::feed(std::string_view piece) {
  const std::size_t left = limits_.max_bytes - reply_.text().size();
  reply_.append(piece.substr(0, left));
  reader_->read(reply_, out_);
  if (piece.size() > left) out_.reject_length();
}

void CallParser::finish() {
  reply_.end();
  reader_->read(reply_, out_);
  out_.finish();
  if (!reader_->found_any() && !out_.full()) read_again();
}

void CallParser::read_again() {
  again_.emplace(reply_, tools_, limits_);
  reply_.at = 0;
  new_json_reader()->read(reply_, *again_);
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
