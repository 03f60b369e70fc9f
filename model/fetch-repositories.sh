#!/bin/sh
# Fetches the documentation and catalogs that model/repositories.txt names, each at its commit, without their history.
#   sh model/fetch-repositories.sh tmp/model/sources [where repositories are found: https://github.com]
set -eu
sources=$1/repositories
from=${2:-https://github.com}
set -f # patterns are git's
while read -r repository commit paths; do
  folder=$sources/$repository
  [ -e "$folder/.complete" ] && continue
  git init --quiet "$folder"
  git -C "$folder" sparse-checkout set --no-cone $paths
  git -C "$folder" fetch --quiet --depth 1 --filter=blob:none "$from/$repository" "$commit"
  git -C "$folder" -c advice.detachedHead=false checkout --quiet FETCH_HEAD
  touch "$folder/.complete"
done <"$(dirname "$0")/repositories.txt"
