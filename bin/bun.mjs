// Runs the pinned Bun. npm may have skipped Bun's install script (npm 12 without approval, `--ignore-scripts`);
// the binary then still lies in its platform package, so it is looked for there.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
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

/** Where packages of this one may lie, nearest first: in its own folder, or in that of a project which has installed it. */
function* moduleFolders(from) {
  for (let folder = from; ; folder = dirname(folder)) {
    yield join(folder, 'node_modules')
    if (folder === dirname(folder)) return
  }
}

/** The folders of a package, nearest first. Where they are links, what a package needs lies beside what they lead to. */
function* findPackage(name, from) {
  for (const modules of moduleFolders(from)) {
    const folder = join(modules, name)
    if (existsSync(folder)) yield realpathSync(folder)
  }
}

/** The binaries that came with one installed `bun`. */
function binariesOf(folder) {
  const platforms = [...findPackage('@oven', folder)].flatMap(place =>
    readdirSync(place)
      .sort()
      .flatMap(name => ['bun', 'bun.exe'].map(binary => join(place, name, 'bin', binary))),
  )
  return [join(folder, 'bin', 'bun.exe'), ...platforms].filter(
    path => existsSync(path) && statSync(path).size > SMALLEST_BINARY,
  )
}

function findBun() {
  for (const folder of findPackage('bun', root)) {
    const binaries = binariesOf(folder)
    // Several builds can be installed side by side (glibc and musl, with and without AVX2): take one that starts.
    const bun =
      binaries.length < 2
        ? binaries[0]
        : binaries.find(path => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0)
    if (bun !== undefined) return bun
  }
  return undefined
}

/** Of a small catalog, the runtime's own ways with memory are the thriftiest. */
export function runBun(args, { isSmall = false } = {}) {
  const bun = findBun()
  if (bun === undefined) {
    console.error(
      `Bun is not installed beside this package (${root}). Install it again: "npm ci" in a checkout, "npm install shirube" elsewhere.`,
    )
    process.exit(1)
  }
  const env = { ...(isSmall ? {} : { ...COLLECTOR, ...ALLOCATOR }), ...process.env }
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
