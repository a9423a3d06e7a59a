#pragma once

#include <string>
#include <vector>

#include "job/answer_log.h"
#include "job/inbox.h"
#include "secrets/secret_mask.h"

namespace pedro {

/// The user's messages to a running job, for its conversation. Logs them, so that a resumed job
/// reads them at the same place. Borrows all; a null inbox has no messages. One thread.
///
///     for (const std::string& text : *messages.next()) ...  // before each round
class UserMessages {
 public:
  UserMessages(Inbox* inbox, AnswerLog& answers, const SecretMask* secrets)
      : inbox_(inbox), answers_(answers), secrets_(secrets) {}

  /// Returns the messages since the last call, without secrets. Errors: those of the disk.
  Result<std::vector<std::string>> next();

 private:
  Result<std::vector<std::string>> replayed();

  Inbox* inbox_;
  AnswerLog& answers_;
  const SecretMask* secrets_;
};

}  // namespace pedro
