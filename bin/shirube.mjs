#!/usr/bin/env node
// Runs the command line on the Bun that this package depends on: `shirube serve`, `shirube --help`.
import { spawn, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

/** npm may skip Bun's install script. `bin/bun.exe` is a placeholder then; the binary is in the package of the platform. */
function findBun() {
  const fromBun = createRequire(createRequire(import.meta.url).resolve('bun/package.json'))
  const platforms = Object.keys(fromBun('./package.json').optionalDependencies)
  return ['./bin/bun.exe', ...platforms.flatMap(name => [`${name}/bin/bun`, `${name}/bin/bun.exe`])]
    .map(file => tryTo(() => fromBun.resolve(file)))
    .find(path => path && spawnSync(path, ['--version']).status === 0)
}

function tryTo(act) {
  try {
    return act()
  } catch {
    return undefined
  }
}

const bun = tryTo(findBun)
if (bun === undefined) {
  console.error('Bun is not installed beside this package. Install it again: npm ci, or npm install shirube.')
  process.exit(1)
}
const args = [fileURLToPath(new URL('../src/cli/main.ts', import.meta.url)), ...process.argv.slice(2)]
// From Node.js 22.15 on, Bun takes the place of this process; not on Windows.
if (process.execve && process.platform !== 'win32') process.execve(bun, [bun, ...args])
// Otherwise signals are passed on, and the IPC channel closes with this process, also if it is killed: src/cli/end-signals.ts.
const child = spawn(bun, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
