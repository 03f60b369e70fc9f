#!/usr/bin/env node
// The command line, started on Bun: `shirube serve`, `shirube --help`.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runBun } from './bun.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
/** A checkout has the source, the published package what is built of it. */
const main = ['src/cli/main.ts', 'dist/cli/main.js'].map(path => join(root, path)).find(existsSync)
/** About 5,000 services. */
const SMALL_DATABASE_BYTES = 16 * 1024 * 1024

/** As Bun reads the settings: the environment goes before the file of the folder. */
function databaseUrl() {
  if (process.env.DATABASE_URL?.trim()) return process.env.DATABASE_URL.trim()
  try {
    const [, quoted, plain] =
      /^\s*(?:export\s+)?DATABASE_URL\s*=\s*(?:["'](.*?)["']|([^\s#]*))/m.exec(
        readFileSync('.env', 'utf8'),
      ) ?? []
    return quoted ?? plain ?? ''
  } catch {
    return ''
  }
}

/** Whether the catalog is known to be small: what a large one gains by large pages and full heaps, it only costs here. */
function isSmall() {
  const url = databaseUrl() || 'sqlite:./data/shirube.db'
  if (!url.startsWith('sqlite:')) return false
  return sizeOf(url.slice('sqlite:'.length)) < SMALL_DATABASE_BYTES
}

/** What is not there, or may not be looked at, is told by who opens it. */
function sizeOf(path) {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

runBun([main, ...process.argv.slice(2)], { isSmall: isSmall() })
