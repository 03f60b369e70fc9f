// Runs the pinned Bun. npm may have skipped Bun's install script (npm 12 without approval, `--ignore-scripts`);
// the binary then still lies in its platform package, so it is looked for there.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules')
/** The placeholder that npm unpacks before Bun's install script replaces it is a few hundred bytes. */
const SMALLEST_BINARY = 1_000_000

/**
 * The collector lets garbage pile up to as much again as lives, as long as that is little beside the memory of the machine;
 * a catalog in flat memory counts as living. So it is told of a small machine, and to clear up after a fifth: to do so much
 * more often slows lists and searches down. After a look at what is new it would go on to look at everything unless a third
 * of what it may take is free; a sixth is all that can be, so a seventh must do.
 */
const COLLECTOR = {
  BUN_JSC_forceRAMSize: String(256 * 1024 * 1024),
  BUN_JSC_largeHeapGrowthFactor: '1.2',
  BUN_JSC_minEdenToOldGenerationRatio: '0.14',
}
/**
 * A catalog is read here and there: in pages of 2 MB, which the allocator leaves off unless it is told, it is found with far
 * fewer looks. What was freed goes back to the system after a minute: under load it is needed again within the second.
 */
const ALLOCATOR = { MIMALLOC_ALLOW_THP: '1', MIMALLOC_PURGE_DELAY: '60000' }

function findBun() {
  const platform = join(modules, '@oven')
  const candidates = [
    join(modules, 'bun', 'bin', 'bun.exe'),
    ...(existsSync(platform) ? readdirSync(platform).sort() : []).flatMap(name => [
      join(platform, name, 'bin', 'bun'),
      join(platform, name, 'bin', 'bun.exe'),
    ]),
  ]
  const binaries = candidates.filter(path => existsSync(path) && statSync(path).size > SMALLEST_BINARY)
  // Several builds can be installed side by side (glibc and musl, with and without AVX2): take one that starts.
  return binaries.find(path => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0)
}

export function runBun(args) {
  const bun = findBun()
  if (bun === undefined) {
    console.error('Bun is not installed here. Run "npm ci" in this folder first.')
    process.exit(1)
  }
  const env = { ...COLLECTOR, ...ALLOCATOR, ...process.env }
  // Where Node can (from 22.15 and 23.11 on, not on Windows), Bun takes the place of this process: it needs no memory beside
  // it, and whatever is done to the one that was started is done to Bun.
  if (process.execve && process.platform !== 'win32') process.execve(bun, [bun, ...args], env)
  standBeside(bun, args, env)
}

/** The pipe ends when this process does, however it ends; Bun is told whose it is, so that no other takes it for theirs. */
function standBeside(bun, args, env) {
  const stdio = ['inherit', 'inherit', 'inherit', 'pipe']
  const child = spawn(bun, args, { stdio, env: { ...env, SHIRUBE_LAUNCHER: String(process.pid) } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'])
    process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) runBun(process.argv.slice(2))
