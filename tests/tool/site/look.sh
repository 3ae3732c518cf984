#!/bin/sh
# Looks at pages in a headless browser, as wide as a phone, on light and on dark pages: nothing is wider than the screen, text
# has contrast, the keyboard's order is the page's, and Doxygen's search finds a word. Slides (slides-*.html) are printed, too: one on
# each page.
# usage: look.sh FOLDER SEARCHED-WORD PAGE…     an empty word: the pages have no search
# Guards: docs/contributing.md#the-site
folder=$(cd -- "$1" && pwd) word=$2; shift 2
here=$(cd -- "$(dirname -- "$0")" && pwd)
if ! chromium --version >/dev/null 2>&1; then
  echo 'chromium is not here: Debian has it as a package, Ubuntu only as a snap, which finds no files of ours'
  exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf -- "$work"' EXIT
cp "$here/browser.html" "$work/" || exit 1
{
  echo 'const pages = ['
  for page; do printf '"file://%s/%s",\n' "$folder" "$page"; done
  printf ']; const word = "%s";\n' "$word"
} >"$work/list.js"
status=0
timeout -k 5 480 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --disable-dev-shm-usage --user-data-dir="$work/profile" \
  --allow-file-access-from-files --virtual-time-budget=3600000 --blink-settings=preferredColorScheme=1 \
  --window-size=500,900 --dump-dom "file://$work/browser.html" 2>"$work/errors" | sed 's/.*<pre>//; s/<\/pre>.*//' >"$work/said"
if grep -q '^BAD' "$work/said"; then
  grep '^BAD' "$work/said" | sed "s|file://$folder/||; s|^BAD ||"
  status=1
fi
if ! grep -q "LOOKED AT $# pages" "$work/said"; then
  grep LOOKED "$work/said" || tail -n 3 "$work/errors"
  echo "the browser did not get through the pages"
  status=1
fi
for page; do
  case $page in slides-*) ;; *) continue ;; esac
  timeout -k 5 240 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
    --no-pdf-header-footer --print-to-pdf="$work/slides.pdf" "file://$folder/$page" >/dev/null 2>&1
  slides=$(grep -c '<section ' "$folder/$page") sheets=$(grep -a -c '/Type /Page$' "$work/slides.pdf")
  if [ "$slides" != "$sheets" ]; then
    echo "$page: $slides slides take ${sheets:-no} printed pages"
    status=1
  fi
done
exit $status
