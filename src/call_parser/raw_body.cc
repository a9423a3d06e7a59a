#include "call_parser/raw_body.h"

#include <algorithm>

#include "base/text.h"
#include "call_parser/call_collector.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFirstLineBytes = 256;

std::string_view without_line_end(std::string_view text) {
  if (!text.ends_with('\n')) return text;
  text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

void RawBodyReader::begin(const ReplyText& reply) {
  open_ = true;
  begin_ = reply.at;
  text_begin_ = 0;
  look_from_ = 0;
}

bool RawBodyReader::read_name(ReplyText& reply, CallCollector& out) {
  const std::size_t from = begin_ + raw_body::kOpen.size();
  const std::string_view line = reply.text().substr(from, kMaxFirstLineBytes);
  const std::size_t end = line.find('\n');
  if (end == std::string_view::npos && line.size() < kMaxFirstLineBytes && !reply.ended())
    return false;
  name_ = trim(line.substr(0, end));
  if (end == std::string_view::npos || !out.wants_body(name_)) {
    open_ = false;
    reply.at = from;
    return true;
  }
  reply.at = text_begin_ = from + end + 1;
  return true;
}

// Returns kYes if the line at `at` closes the block.
ReplyText::Look RawBodyReader::closes(const ReplyText& reply, std::size_t at) {
  const ReplyText::Look seen = reply.look(at, raw_body::kClose);
  if (seen != ReplyText::Look::kYes) return seen;
  const std::size_t end = after_close_.find(reply, at + raw_body::kClose.size());
  if (end < reply.text().size()) {
    return reply.text()[end] == '\n' ? ReplyText::Look::kYes : ReplyText::Look::kNo;
  }
  return reply.ended() ? ReplyText::Look::kYes : ReplyText::Look::kMore;
}

bool RawBodyReader::read(ReplyText& reply, CallCollector& out) {
  if (text_begin_ == 0) {
    if (!read_name(reply, out)) return false;
    if (!open_) return true;
  }
  for (;;) {  // reply.at is the start of a line
    const ReplyText::Look seen = closes(reply, reply.at);
    if (seen == ReplyText::Look::kMore) return false;
    if (seen == ReplyText::Look::kYes) break;
    const std::size_t next = reply.text().find('\n', std::max(reply.at, look_from_));
    if (next == std::string_view::npos) {
      look_from_ = reply.text().size();
      if (!reply.ended()) return false;
      open_ = false;
      reply.at = reply.text().size();
      out.reject_open_body("a line " + std::string(raw_body::kClose));
      return true;
    }
    reply.at = next + 1;
  }
  const std::string_view text = reply.text().substr(text_begin_, reply.at - text_begin_);
  reply.at += raw_body::kClose.size();
  open_ = false;
  out.add_body(name_, without_line_end(text), reply.at);
  return true;
}

}  // namespace pedro
