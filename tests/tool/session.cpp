#include "tests/tool/session.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include <chrono>
#include <regex>
#include <sstream>

#include "tests/common/catch.hpp"

namespace ladder::test {

using Clock = std::chrono::steady_clock;

Session::Session(const Checkout& checkout, const std::vector<std::string>& arguments,
                 std::map<std::string, std::string> environment, const std::string& shell) {
  environment.merge(std::map<std::string, std::string>{{"TERM", "xterm"}, {"COLUMNS", ""}, {"NO_COLOR", ""}});
  environment.merge(checkout.environment());
  environment["TMPDIR"] = (checkout.root() / "tmp").string();
  std::filesystem::create_directories(checkout.root() / "tmp");
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), checkout.program());
  if (!shell.empty()) {
    const std::vector<std::string> sh = {"/bin/sh", "-mc", shell, "sh"};
    words.insert(words.begin(), sh.begin(), sh.end());
  }
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  winsize size{.ws_row = 25, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  int own = -1;
  REQUIRE(openpty(&terminal_, &own, nullptr, nullptr, &size) == 0);
  sigset_t all, before;  // as Checkout::start
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  child_ = fork();
  if (child_ == 0) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    close(terminal_);
    if (login_tty(own) != 0 || chdir(checkout.root().c_str()) != 0) _exit(127);
    execv(argv[0], argv.data());
    _exit(127);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  fcntl(terminal_, F_SETFD, FD_CLOEXEC);
  close(own);
}

Session::~Session() {
  if (child_ > 0 && status(0) < 0) kill(SIGKILL), status();
  hang_up();
}

bool Session::read_some(int milliseconds) {
  pollfd ready{terminal_, POLLIN, 0};
  if (terminal_ < 0 || poll(&ready, 1, milliseconds) <= 0) return false;
  char buffer[4096];
  const ssize_t n = read(terminal_, buffer, sizeof buffer);
  if (n > 0) all_.append(buffer, static_cast<std::size_t>(n));
  return n > 0;
}

bool Session::shows(const std::string& text, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    if (const auto at = all_.find(text, seen_); at != std::string::npos)
      return seen_ = at + text.size(), true;
    if (Clock::now() > end) break;
    read_some(50);
  }
  UNSCOPED_INFO("not shown: " << text << "\nbut:\n" << all_.substr(seen_));
  return false;
}

void Session::type(const std::string& keys) {
  REQUIRE(write(terminal_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
}

void Session::hang_up() {
  if (terminal_ >= 0) close(terminal_);
  terminal_ = -1;
}

void Session::kill(int number) const {
  ::kill(child_, number);
}

int Session::status(double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  int raw = 0;
  while (waitpid(child_, &raw, WNOHANG) != child_) {
    if (Clock::now() > end) return -1;
    if (!read_some(20)) usleep(20000);
  }
  while (read_some(0)) {
  }
  child_ = -1;
  return WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
}

bool Session::stopped() {
  for (int i = 0; i < 200; ++i) {
    int raw = 0;
    if (waitpid(child_, &raw, WNOHANG | WUNTRACED) == child_) return WIFSTOPPED(raw);
    if (!read_some(20)) usleep(20000);
  }
  return false;
}

bool Session::echoes() const {
  termios modes{};
  return tcgetattr(terminal_, &modes) == 0 && (modes.c_lflag & ECHO) && (modes.c_lflag & ICANON);
}

std::vector<std::string> Session::lines() const {
  static const std::regex rewritten("[^\n]*\r\x1b\\[K"), colour("\x1b\\[[0-9;]*m|\r");
  std::istringstream text(std::regex_replace(std::regex_replace(all_, rewritten, ""), colour, ""));
  std::vector<std::string> found;
  for (std::string line; std::getline(text, line);) found.push_back(line);
  return found;
}

}  // namespace ladder::test
