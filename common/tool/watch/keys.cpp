#include "common/tool/watch/keys.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

namespace ladder {
namespace {

volatile sig_atomic_t stop_wanted = 0, new_size = 1;

void on_signal(int number) {
  (number == SIGTSTP ? stop_wanted : new_size) = 1;
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // but poll() ends: the loop looks
  sigaction(number, &action, nullptr);
}

/// A process in the background that touches the terminal is stopped by it.
bool in_foreground() {
  return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/// What Ctrl-Z does by default. Where no shell could make us go on (ssh -t, a terminal's first program) that
/// is nothing; SIGSTOP would stop us for good.
void stop_as_usual() {
  handle(SIGTSTP, SIG_DFL);
  raise(SIGTSTP);
  handle(SIGTSTP, on_signal);
}

}  // namespace

Keys::Keys() : terminal_(isatty(STDIN_FILENO) && in_foreground() && tcgetattr(STDIN_FILENO, &before_) == 0) {
  handle(SIGWINCH, on_signal);
  if (!terminal_) return;
  handle(SIGTSTP, on_signal);
  take();
}

Keys::~Keys() {
  give_back();
  handle(SIGTSTP, SIG_DFL);
  handle(SIGWINCH, SIG_DFL);
}

void Keys::take() {
  termios modes = before_;
  modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // Ctrl-C and Ctrl-Z stay signals
  modes.c_cc[VMIN] = 0;
  modes.c_cc[VTIME] = 0;
  modes.c_cc[VQUIT] = _POSIX_VDISABLE;  // it would leave these modes behind
  taken_ = tcsetattr(STDIN_FILENO, TCSANOW, &modes) == 0;
}

void Keys::give_back() {
  if (taken_ && in_foreground()) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  taken_ = false;
}

char Keys::next() {
  if (!there()) return 0;
  if (stop_wanted) {
    stop_wanted = 0;
    give_back();
    stop_as_usual();
  }
  if (tcgetpgrp(STDIN_FILENO) < 0) return lost_ = true, 0;
  if (!in_foreground())
    return taken_ = false, 0;  // continued by bg: whoever has the terminal now sets its modes
  if (!taken_) take();
  pollfd ready{STDIN_FILENO, POLLIN, 0};
  if (poll(&ready, 1, 0) <= 0) return 0;
  char key = 0;
  const ssize_t n = read(STDIN_FILENO, &key, 1);
  if (n < 0 ? errno != EINTR && errno != EAGAIN : n == 0 || (ready.revents & POLLHUP)) lost_ = true;
  if (n != 1) return 0;
  if (key != '\x1b') return key;
  char sequence[32];  // of an arrow or function key, which means nothing here
  (void)!read(STDIN_FILENO, sequence, sizeof sequence);
  return 0;
}

bool Keys::size_changed() {
  const bool changed = new_size != 0;
  new_size = 0;
  return changed;
}

}  // namespace ladder
