#include "sys/silent_typing.h"

#include <termios.h>
#include <unistd.h>

namespace pedro {

struct SilentTyping::Before {
  termios settings{};
};

SilentTyping::SilentTyping() {
  auto before = std::make_unique<Before>();
  if (::tcgetattr(STDIN_FILENO, &before->settings) != 0) return;
  termios silent = before->settings;
  silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &silent);
  before_ = std::move(before);
}

SilentTyping::~SilentTyping() {
  if (before_) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_->settings);
}

}  // namespace pedro
