#!/bin/sh
# The pictures of the site and of a student's report in docs show what those pages say now: words of the screens are compared with those
# that were there when the pictures were taken (pictures.txt).
# usage: shots.sh check|take SITE-FOLDER REPORT.html      take: in Debian's chromium without a window, at most 150 kB each
# Exit status 77: it could not run, and the last line says why.
# Guards: docs/contributing.md#the-site
set -eu
case $1 in check | take) ;; *) echo "usage: $0 check|take SITE-FOLDER REPORT.html"; exit 2 ;; esac
task=$1 site=file://$(cd -- "$2" && pwd) report=file://$(readlink -f -- "$3")
here=$(cd -- "$(dirname -- "$0")" && pwd)
docs=$(cd -- "$here/../../../docs" && pwd)
if ! chromium --version >/dev/null 2>&1; then
  echo 'chromium is not here: Debian has it as a package, Ubuntu only as a snap, which finds no files of ours'
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cp "$here/shots.html" "$work/"
# A browser's window has at least 500 pixels: a phone's page is shown in a frame, next to others.
browser() { # WIDTH,HEIGHT OUTPUT ADDRESS
  timeout -k 5 240 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --disable-dev-shm-usage --user-data-dir="$work/profile" \
    --allow-file-access-from-files --virtual-time-budget=20000 --blink-settings=preferredColorScheme=1 --window-size="$1" \
    "$2" "$3" 2>"$work/errors" || { tail -n 3 "$work/errors"; exit 1; }
}
words() { sed -n 's/.*<pre id="said" hidden="">//; s/&amp;/\&/g; s/&lt;/</g; s/&gt;/>/g; /^\(SHOWN\|BELOW\) /p'; }
status=0
picture() { # NAME WIDTH,HEIGHT WIDTH-OF-A-PAGE PAGE…
  name=$1 size=$2 pages="file://$work/shots.html?$3"; shift 3
  for page; do pages="$pages&$page"; done
  browser "$size" --dump-dom "$pages" | words >"$work/$name.said"
  grep -q '^SHOWN ' "$work/$name.said" || { echo "$name: the browser shows no words"; exit 1; }
  if [ "$task" = check ]; then
    compared "$name"
    return
  fi
  browser "$size" --screenshot="$work/$name.png" "$pages" >/dev/null
  [ "$(wc -c <"$work/$name.png")" -le 150000 ] || { echo "$name.png is larger than 150 kB: take less of the page"; exit 1; }
  cp "$work/$name.png" "$docs/"
  { echo "== $name.png"; sed -n 's/^SHOWN [0-9]* //p' "$work/$name.said"; } >>"$work/pictures.txt"
}
# Other fonts move the end of a screen: what the picture shows must be on the page, and what the upper half of the screen shows in
# the picture.
compared() { # NAME
  sed -n "/^== $1.png\$/,/^== /{/^== /!p}" "$docs/pictures.txt" | sort -u >"$work/kept"
  sed 's/^SHOWN [0-9]* //; s/^BELOW //' "$work/$1.said" | sort -u >"$work/page"
  sed -n 's/^SHOWN \([0-9]\|[1-4][0-9]\) //p' "$work/$1.said" | sort -u >"$work/upper"
  { comm -23 "$work/kept" "$work/page" | sed "s/^/$1.png shows what the page has not: /"
    comm -13 "$work/kept" "$work/upper" | sed "s/^/$1.png lacks what the page shows: /"; } >"$work/differs"
  [ -s "$work/differs" ] || return 0
  head -n 3 "$work/differs"
  status=1
}
picture site-1200 1200,700 1200 "$site/index.html"
picture site-360 740,700 360 "$site/pages.html" "$site/lessons_03_dgemm_g2.html"
picture report-1200 1200,800 1200 "$report"
picture report-360 360,800 360 "$report"
[ "$task" = check ] || cp "$work/pictures.txt" "$docs/"
[ $status = 0 ] || echo 'take them again: ./ladder test --renew'
exit $status
