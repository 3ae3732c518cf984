"""Lines of a terminal as SVG: text stays text, on a dark ground of its own, so that it reads on light and dark pages alike."""

from html import escape
from itertools import groupby

COLUMNS, WIDTH, HEIGHT, MARGIN = 80, 8.4, 18, 16  # of a character at 14 px, of a line

# Contrast with the ground at least 7 : 1.
COLOURS = {"31": "#ff9d94", "32": "#7ee787", "33": "#f0c24b", "34": "#9ecbff", "36": "#8fdce6", "2": "#b3bcc7"}


def attributes(style):
    parts = style.split(";")
    text = ""
    for part in parts:
        if part in COLOURS:
            text += ' fill="%s"' % COLOURS[part]
    return text + (' font-weight="700"' if "1" in parts else "")


def drawn_line(line, y):
    """One text element a run of one style, as wide as its characters are in a terminal, whatever the font."""
    text, column = "", 0
    for style, run in groupby(line, key=lambda cell: cell[1]):
        characters = "".join(character for character, _ in run)
        body = characters.strip(" ")
        if body:
            x = MARGIN + WIDTH * (column + len(characters) - len(characters.lstrip(" ")))
            text += '<text x="%.1f" y="%d" textLength="%.1f"%s>%s</text>' % (
                x, y, WIDTH * len(body), attributes(style), escape(body, quote=False))
        column += len(characters)
    return text


def drawn(lines, title, what):
    while lines and not lines[-1]:
        lines = lines[:-1]
    width, height = 2 * MARGIN + WIDTH * COLUMNS, 2 * MARGIN + HEIGHT * len(lines)
    rows = [drawn_line(line, MARGIN + HEIGHT * i + 13) for i, line in enumerate(lines)]
    return """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="title desc">
<title id="title">%s</title>
<desc id="desc">%s</desc>
<style>text { white-space: pre; }</style>
<rect x="0.5" y="0.5" width="%d" height="%d" rx="8" fill="#161b22" stroke="#6e7681"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="#e6edf3" xml:space="preserve">
%s
</g>
</svg>
""" % (width, height, width, height, escape(title), escape(what), width - 1, height - 1, "\n".join(row for row in rows if row))
