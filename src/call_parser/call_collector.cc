#include "call_parser/call_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kExcerptBytes = 30;
constexpr std::size_t kMaxErrorBytes = 200;

std::string place_of(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  return fmt::format("{}:{}", line, at - (before.rfind('\n') + 1) + 1);
}

// Describes the byte at `at` and the text before it. The text after it may be incomplete.
std::string excerpt(std::string_view text, std::size_t begin, std::size_t at) {
  const std::string_view before = tail_utf8(text.substr(begin, at - begin), kExcerptBytes);
  std::string byte = "a letter that is not ASCII";
  if (static_cast<unsigned char>(text[at]) < 0x80) byte = to_line(text.substr(at, 1));
  return before.empty() ? byte : fmt::format("{} after {}", byte, to_line(before));
}

}  // namespace

void CallCollector::add(CallPart part) {
  if (full_) return;
  const bool is_call = std::holds_alternative<ParsedCall>(part);
  const ByteRange where = std::visit([](const auto& one) { return one.where; }, part);
  if (thinking_ended_) {  // content follows the thinking, so its calls do not count
    held_.clear();
    thinking_ended_.reset();
  }
  if (is_call && ++calls_ > limits_.max_calls) {
    full_ = true;
    part = RejectedText{where,
                        {CallProblem::Kind::kTooMany, place_of(reply_.text(), where.begin),
                         fmt::format("at most {} calls", limits_.max_calls), "one more"}};
  }
  if (!is_call && ++rejected_ >= limits_.max_rejected) full_ = true;
  (thinking_ ? held_ : parts_).push_back(std::move(part));
}

// Returns true and rejects the part if it has invalid UTF-8. Names and unquoted texts may contain
// it.
bool CallCollector::reject_bytes(ByteRange where) {
  if (is_valid_utf8(reply_.text().substr(where.begin, where.end - where.begin))) return false;
  reject(where, {CallProblem::Kind::kNotACall, place_of(reply_.text(), where.begin), "UTF-8",
                 "other bytes"});
  return true;
}

void CallCollector::add_call(ByteRange where, WrittenCall call) {
  settle_call();
  waiting_ = WaitingCall{where, std::move(call)};
  if (!misses_bodies(waiting_->call)) settle_call();
}

bool CallCollector::misses_bodies(const WrittenCall& call) const {
  const std::span<const std::string> bodies = tools_.bodies_of(call.tool, call.args);
  return std::any_of(bodies.begin(), bodies.end(),
                     [&](const std::string& name) { return !call.args.contains(name); });
}

bool CallCollector::wants_body(std::string_view parameter) const {
  if (!waiting_ || waiting_->call.args.contains(parameter)) return false;
  const std::span<const std::string> bodies =
      tools_.bodies_of(waiting_->call.tool, waiting_->call.args);
  return std::find(bodies.begin(), bodies.end(), parameter) != bodies.end();
}

void CallCollector::add_body(const std::string& parameter, std::string_view text, std::size_t end) {
  waiting_->call.args[parameter] = text;
  waiting_->where.end = end;
  if (!misses_bodies(waiting_->call)) settle_call();
}

void CallCollector::reject_open_body(std::string expected) {
  const std::size_t begin = waiting_->where.begin;
  waiting_.reset();
  reject_end(begin, std::move(expected));
}

// Completes the waiting call; nothing else belongs to it.
void CallCollector::settle_call() {
  if (!waiting_) return;
  const ByteRange where = waiting_->where;
  WrittenCall call = std::move(waiting_->call);
  waiting_.reset();
  if (reject_bytes(where)) return;
  if (auto problem = tools_.check(call.tool, call.args)) {
    reject(where, *std::move(problem));
  } else {
    add(ParsedCall{where, std::move(call.id), std::move(call.tool), std::move(call.args)});
  }
}

void CallCollector::add_arguments(ByteRange where, std::string_view tool, std::string_view id,
                                  const Json& value) {
  if (reject_bytes(where)) return;
  auto args = read_arguments(value, tool);
  if (auto* problem = std::get_if<CallProblem>(&args)) {
    reject(where, std::move(*problem));
  } else {
    add_call(where, {std::string(tool), std::string(id), std::get<Json>(std::move(args))});
  }
}

void CallCollector::add_value(ByteRange where, const Json& value, CallMark mark) {
  if (mark == CallMark::kNone) {
    (void)add_calls_in(where, value);
    return;
  }
  ReadCall read = read_call(value, mark);
  if (auto* call = std::get_if<WrittenCall>(&read)) return add_call(where, std::move(*call));
  // A call may be wrapped: {"type": "function", "function": {…}}.
  if (add_calls_in(where, value)) return;
  if (auto* problem = std::get_if<CallProblem>(&read)) reject(where, std::move(*problem));
}

// Adds the calls in a value, in order, but does not search inside a call. Returns true if it found
// a call or an attempt at one.
bool CallCollector::add_calls_in(ByteRange where, const Json& value) {
  bool any = false;
  std::vector<const Json*> todo{&value};
  while (!todo.empty() && !full_) {
    const Json& at = *todo.back();
    todo.pop_back();
    ReadCall read = read_call(at, CallMark::kNone);
    if (auto* call = std::get_if<WrittenCall>(&read)) {
      any = true;
      add_call(where, std::move(*call));
    } else if (auto* problem = std::get_if<CallProblem>(&read)) {
      any = true;
      reject(where, std::move(*problem));
    } else if (at.is_structured()) {
      for (auto part = at.rbegin(); part != at.rend(); ++part) todo.push_back(&*part);
    }
  }
  return any;
}

void CallCollector::reject(ByteRange where, CallProblem problem) {
  settle_call();
  add(RejectedText{where, std::move(problem)});
}

void CallCollector::reject_at(std::size_t begin, std::size_t at, CallProblem::Kind kind,
                              std::string expected) {
  const std::string_view text = reply_.text();
  reject({begin, at + 1},
         {kind, place_of(text, at), std::move(expected), excerpt(text, begin, at)});
}

void CallCollector::reject_here(std::size_t begin, CallProblem::Kind kind, std::string expected) {
  if (reply_.at_edge()) return reject_end(begin, std::move(expected));
  reject_at(begin, reply_.at, kind, std::move(expected));
}

void CallCollector::reject_value(ByteRange where, const Error& error) {
  const std::string message = make_printable(truncate_utf8(error.message, kMaxErrorBytes));
  reject(where, {CallProblem::Kind::kNotJson, place_of(reply_.text(), where.begin), "JSON",
                 fmt::format("other text at {}", message)});
}

void CallCollector::reject_calls(std::size_t at, std::string expected) {
  settle_call();
  std::erase_if(thinking_ ? held_ : parts_,
                [](const CallPart& part) { return std::holds_alternative<ParsedCall>(part); });
  reject_at(at, at, CallProblem::Kind::kNotACall, std::move(expected));
}

void CallCollector::reject_end(std::size_t begin, std::string expected) {
  reject({begin, reply_.text().size()},
         {CallProblem::Kind::kNotClosed, place_of(reply_.text(), reply_.text().size()),
          std::move(expected), "the end of the reply"});
}

void CallCollector::reject_length() {
  const std::size_t end = reply_.text().size();
  reject({end, end}, {CallProblem::Kind::kTooLong, place_of(reply_.text(), end),
                      fmt::format("at most {} bytes", limits_.max_bytes), "more"});
  full_ = true;
}

void CallCollector::close_thinking(std::size_t at) {
  settle_call();
  settle_thinking(at);
  thinking_ = false;
  if (!held_.empty()) thinking_ended_ = at;
}

// Drops the calls of the thinking if anything except blanks follows it.
void CallCollector::settle_thinking(std::size_t before) {
  if (!thinking_ended_) return;
  const std::string_view behind = reply_.text().substr(*thinking_ended_, before - *thinking_ended_);
  if (behind.find_first_not_of(" \t\n\r") == std::string_view::npos) return;
  held_.clear();
  thinking_ended_.reset();
}

void CallCollector::finish() {
  settle_call();
  if (thinking_ended_) settle_thinking(reply_.text().size());
  parts_.insert(parts_.end(), std::make_move_iterator(held_.begin()),
                std::make_move_iterator(held_.end()));
  held_.clear();
}

}  // namespace pedro
