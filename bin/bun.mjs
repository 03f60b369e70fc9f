// Runs the Bun of this checkout: node bin/bun.mjs test test/some.test.ts
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bun = fileURLToPath(new URL('../node_modules/bun/bin/bun.exe', import.meta.url))
process.exit(spawnSync(bun, process.argv.slice(2), { stdio: 'inherit' }).status ?? 1)
