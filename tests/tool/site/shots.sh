#!/bin/sh
# Takes the site's pictures in docs (site-1200.png, site-360.png) and a report's (report-1200.png, report-360.png), in Debian's
# chromium without a window; each has at most 150 kB.
# usage: tests/tool/site/shots.sh [REPORT.html]     after ./ladder docs; without a report its pictures stay as they are
set -eu
root=$(cd -- "$(dirname -- "$0")/../../.." && pwd)
site=file://${LADDER_BUILD:-$root/build}/site/html
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
# A browser's window has at least 500 pixels: a phone's page is shown in a frame, next to others.
cat >"$work/frames.html" <<'END'
<!DOCTYPE html><meta charset="utf-8"><style>body{margin:0;display:flex;gap:20px;background:#888}iframe{width:360px;height:100vh;border:0}</style>
<body><script>
for (const page of decodeURIComponent(location.search.slice(1)).split("&")) {
  const frame = document.createElement("iframe");
  frame.src = page;
  document.body.append(frame);
}
</script>
END
shot() { # NAME WIDTH,HEIGHT ADDRESS
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --disable-dev-shm-usage --user-data-dir="$work/profile" \
    --allow-file-access-from-files --virtual-time-budget=8000 --blink-settings=preferredColorScheme=1 --window-size="$2" \
    --screenshot="$work/$1.png" "$3" 2>"$work/errors" || { tail -n 3 "$work/errors"; exit 1; }
  [ "$(wc -c <"$work/$1.png")" -le 150000 ] || { echo "$1.png is larger than 150 kB: take less of the page"; exit 1; }
  cp "$work/$1.png" "$root/docs/"
}
shot site-1200 1200,700 "$site/index.html"
shot site-360 740,700 "file://$work/frames.html?$site/pages.html&$site/lessons_03_dgemm_g2.html"
[ $# -gt 0 ] || exit 0
report=file://$(readlink -f -- "$1")
shot report-1200 1200,800 "$report"
shot report-360 360,800 "file://$work/frames.html?$report"
