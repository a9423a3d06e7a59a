#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "chat/message.h"
#include "job/answer_log.h"
#include "llm/model.h"
#include "tools/checks.h"
#include "tools/note_store.h"

namespace pedro {

// Converts answers to and from the JSON of a job's log (job/answer_log.h). Missing members have
// default values.

/// Includes calls and tokens.
Json to_json(const Reply& reply);
Reply reply_from(const Json& json);

/// Includes the texts that the call saved.
Json to_json(const ToolResult& result, const std::vector<NoteStore::Kept>& kept);
ToolResult tool_result_from(const Json& json);
std::vector<NoteStore::Kept> kept_from(const Json& json);

Json to_json(const CheckOutcome& outcome);
CheckOutcome check_outcome_from(const Json& json);

/// Returns the refusal of an earlier run of the job from its log, or asks for it and logs it.
Result<std::optional<std::string>> logged_refusal(
    AnswerLog& log, Question question,
    const std::function<Result<std::optional<std::string>>()>& ask);

/// Converts any bytes to a JSON string if they are valid UTF-8, else to an array of byte values.
Json bytes_json(const std::string& bytes);
std::string bytes_from(const Json& json);

}  // namespace pedro
