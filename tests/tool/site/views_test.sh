#!/bin/sh
# The two views of a rung's page (docs/site.js) in a model of a browser: students get closed folds, readers open ones, and the
# choice is kept where the browser allows that.
#   views_test.sh CHECKOUT     exit status 77: it could not run, and the last line says why
# Guards: docs/contributing.md#the-site
command -v node >/dev/null || { echo 'needs node (package nodejs)'; exit 77; }
exec node "$(dirname -- "$0")/views.js" "$1/docs/site.js"
