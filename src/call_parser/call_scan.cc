#include "call_parser/call_scan.h"

#include <algorithm>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::string_view kThinkingTags[] = {"<think>", "</think>", "[THINK]", "[/THINK]"};

}  // namespace

int look_at_any(const ReplyText& reply, std::size_t from,
                std::span<const std::string_view> literals) {
  for (std::size_t i = 0; i < literals.size(); ++i) {
    const ReplyText::Look seen = reply.look(from, literals[i]);
    if (seen == ReplyText::Look::kYes) return static_cast<int>(i);
    if (seen == ReplyText::Look::kMore) return -2;
  }
  return -1;
}

bool was_written(const std::vector<WrittenArgument>& written, std::string_view name) {
  return std::any_of(written.begin(), written.end(),
                     [&](const WrittenArgument& one) { return one.name == name; });
}

MarkerSearch::MarkerSearch(std::vector<std::string_view> markers) : markers_(std::move(markers)) {
  markers_.insert(markers_.begin(), std::begin(kThinkingTags), std::end(kThinkingTags));
  markers_.push_back(raw_body::kOpen);
}

int MarkerSearch::next(ReplyText& reply, CallCollector& out) {
  for (;;) {
    if (body_.is_open() && !body_.read(reply, out)) return -1;
    const int found = reply.seek(markers_);
    if (found < 0) return -1;
    if (found + 1 == static_cast<int>(markers_.size())) {
      body_.begin(reply);
      continue;
    }
    if (found >= static_cast<int>(std::size(kThinkingTags))) {
      return found - static_cast<int>(std::size(kThinkingTags));
    }
    reply.at += kThinkingTags[found].size();
    if (found % 2 == 0) {
      out.open_thinking();
    } else {
      out.close_thinking(reply.at);
    }
  }
}

void ValueReader::begin(const ReplyText& reply, std::size_t part_begin) {
  extent_ = JsonExtent();
  begin_ = reply.at;
  where_ = {part_begin, part_begin};
  value_ = nullptr;
}

ValueReader::State ValueReader::read(ReplyText& reply, CallCollector& out) {
  for (; !reply.at_edge(); ++reply.at) {
    const JsonExtent::State state = extent_.take(reply.text()[reply.at]);
    if (state == JsonExtent::State::kOpen) continue;
    if (state == JsonExtent::State::kBroken) {
      out.reject_at(where_.begin, reply.at, CallProblem::Kind::kNotJson,
                    std::string(extent_.expected()));
      return State::kRejected;
    }
    where_.end = ++reply.at;
    Result<Json> json = parse_json(reply.text().substr(begin_, reply.at - begin_));
    if (!json) {
      out.reject_value(where_, json.error());
      return State::kRejected;
    }
    value_ = *std::move(json);
    return State::kRead;
  }
  if (!reply.ended()) return State::kMore;
  out.reject_end(where_.begin, std::string(extent_.expected()));
  return State::kRejected;
}

bool NameReader::read(ReplyText& reply, std::string_view ends) {
  const std::size_t limit = begin_ + kMaxBytes;
  while (!reply.at_edge() && reply.at < limit) {
    if (ends.find(reply.text()[reply.at]) != std::string_view::npos) return true;
    ++reply.at;
  }
  return false;
}

std::string_view NameReader::name(const ReplyText& reply) const {
  return trim(reply.text().substr(begin_, reply.at - begin_));
}

}  // namespace pedro
