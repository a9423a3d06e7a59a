#include "call_parser/reply_text.h"

#include <algorithm>

namespace pedro {

ReplyText::Look ReplyText::look(std::size_t from, std::string_view literal) const {
  const std::string_view there = std::string_view(text_).substr(from, literal.size());
  if (!literal.starts_with(there)) return Look::kNo;
  if (there.size() == literal.size()) return Look::kYes;
  return ended_ ? Look::kNo : Look::kMore;
}

int ReplyText::seek(std::span<const std::string_view> literals, std::size_t until) {
  const std::string_view text = std::string_view(text_).substr(0, until);
  std::string first;
  for (const std::string_view literal : literals) first += literal.front();
  for (;; ++at) {
    at = std::min(text.find_first_of(first, at), text.size());
    if (at == text.size()) return -1;
    bool more = false;
    for (std::size_t i = 0; i < literals.size(); ++i) {
      const Look seen = look(at, literals[i]);
      more = more || seen == Look::kMore;  // an earlier literal may begin with this one
      if (seen == Look::kYes && !more) return static_cast<int>(i);
    }
    if (more) return -1;
  }
}

bool ReplyText::skip_blanks() {
  at = std::min(text_.find_first_not_of(" \t\n\r", at), text_.size());
  return !at_edge();
}

std::size_t NextNonBlank::find(const ReplyText& reply, std::size_t from) {
  at_ = reply.text().find_first_not_of(blanks_, std::max(at_, from));
  return at_ = std::min(at_, reply.text().size());
}

}  // namespace pedro
