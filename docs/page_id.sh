#!/bin/sh
# Doxygen's filter for pages: the README.md here is the main page, the others get names of their own.
folder=$(dirname -- "$1")
case $folder in
  . | "$PWD") id=mainpage ;;
  *) id=$(printf %s "${folder#"$PWD"/}" | tr -c 'A-Za-z0-9' '_') ;;
esac
sed "1s|^# .*|& {#$id}|" -- "$1"
