#include "sys/interrupt_key.h"

#include <signal.h>

#include <atomic>

namespace pedro {
namespace {

std::atomic<bool> g_pressed = false;
struct sigaction g_before {};

void on_interrupt(int) {
  g_pressed = true;
}

}  // namespace

InterruptKey::InterruptKey() {
  g_pressed = false;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &g_before);
}

InterruptKey::~InterruptKey() {
  sigaction(SIGINT, &g_before, nullptr);
}

bool InterruptKey::is_pressed() const {
  return g_pressed;
}

bool InterruptKey::take() {
  return g_pressed.exchange(false);
}

}  // namespace pedro
