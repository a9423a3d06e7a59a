#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "messages_api/model_reply.h"
#include "messages_api/reply_json.h"

namespace pedro {

/// Reads a server's error, {"type": …, "message": …} or a plain text, as `overloaded: try again`.
/// At most about 500 bytes, printable. "" for null, false, 0, "" and objects of only such values.
std::string read_server_error(ReplyJson& json);

/// Returns an error's message, printable and at most about 400 bytes.
std::string shown_error(std::string_view message);

/// Stores a server's stop reason, in the words of any API. The first one counts, unless a later one
/// says that the reply is not complete.
void note_stop(ModelReply& reply, std::string_view reason);

/// Ends a complete reply whose server gave no reason, unless the reply is empty.
void end_without_reason(ModelReply& reply);

/// Returns the Error "20000000 bytes, more than the limit of 16777216".
Error too_long(std::size_t bytes, const ReplyLimits& limits);

/// Returns the error of a stream that ended after `events` without `reason`, the end of a reply.
Error cut_error(std::size_t events, std::string_view reason);

}  // namespace pedro
