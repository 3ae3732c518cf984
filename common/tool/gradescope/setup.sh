#!/bin/sh
# Gradescope: runs once, as root, when the autograder is built, on the platform's default image (Ubuntu 22.04). Installs the
# packages that @PACKAGES@ stands for and unpacks the harness: nothing of it is compiled here or later.
set -eu
cd "$(dirname "$0")"
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends @PACKAGES@ xz-utils
apt-get clean
tar -C / -xJf harness.tar.xz
chown -R root:root /opt/ladder
# What a submission may not read: the key of its inputs, and what the reference gets.
chown -R root:root secret
chmod 700 secret
chmod 600 secret/*
/opt/ladder/build/bin/ladder-class --help >/dev/null
