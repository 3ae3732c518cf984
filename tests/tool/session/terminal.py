"""A shell on a terminal of its own (a pty), and what its screen shows: lines of characters with their style."""

import fcntl
import os
import pty
import select
import struct

import termios
import time

COLUMNS = 80
PROMPT = "\x1f$ "  # the first character is in no other output: so the end of a command is seen


class Screen:
    """As much of a terminal as the tool uses: new lines, the rewritten line of progress, colours."""

    def __init__(self):
        self.lines, self.column, self.style = [[]], 0, ""

    def write(self, text):
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                at = self._escape(text, at)
                continue
            self._character(text[at])
            at += 1

    def _escape(self, text, at):
        end = at + 2
        while text[end] in "0123456789;":
            end += 1
        what = text[at + 2 : end]
        if text[at + 1] == "[" and text[end] == "m":
            self.style = "" if what in ("", "0") else (self.style + ";" + what).strip(";")
        elif text[at + 1] == "[" and text[end] == "K":
            del self.lines[-1][self.column :]
        else:
            raise ValueError("an escape that this screen does not know: %r" % text[at : end + 1])
        return end + 1

    def _character(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.lines.append([])
            self.column = 0
        else:
            if self.column == COLUMNS:
                self.lines.append([])
                self.column = 0
            self.lines[-1][self.column : self.column + 1] = [(character, self.style)]
            self.column += 1


def text_of(line):
    return "".join(character for character, _ in line).rstrip()


class Shell:
    """A shell as a student has it; each command's answer is a list of lines."""

    def __init__(self, folder, environment):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execvpe("sh", ["sh", "-i"], dict(environment, PS1=PROMPT, ENV=""))
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, COLUMNS, 0, 0))
        self._until_prompt()

    def _until_prompt(self, seconds=300):
        raw, end = b"", time.monotonic() + seconds
        while not raw.endswith(PROMPT.encode()):
            if not select.select([self.terminal], [], [], end - time.monotonic())[0]:
                raise TimeoutError("no prompt for %d s after\n%s" % (seconds, raw.decode(errors="replace")))
            raw += os.read(self.terminal, 4096)
        return raw[: -len(PROMPT)].decode()

    def answer(self, command):
        """Types a command. @return what the screen shows between its line and the next prompt"""
        os.write(self.terminal, (command + "\n").encode())
        screen = Screen()
        screen.write(self._until_prompt())
        lines = screen.lines[1:]  # the first is the echo of what was typed
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.child, 0)
