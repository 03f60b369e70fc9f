#!/usr/bin/env node
// The command line, started on Bun: `shirube serve`, `shirube --help`.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runBun } from './bun.mjs'

const main = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'cli', 'main.ts')
runBun([main, ...process.argv.slice(2)])
