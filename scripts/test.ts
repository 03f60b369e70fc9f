// Runs the test files side by side, the longest first: npm test [-- paths and options of `bun test`]
import '../test/files-in-memory.ts'
import { statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob, type Subprocess } from 'bun'
import { lendPostgres } from '../test/postgres.ts'

/** Tests also wait for children, leases and browsers: with four files more than cores, the cores seldom rest. */
const WORKERS = availableParallelism() + 4

/** Only a hang takes so long, on however busy a machine: no test fails on the clock. */
const DEADLINE_MS = 900_000

/** Below this, tests fail that have nothing to do with each other. */
const MIN_FREE_BYTES = 128 * 1024 ** 2
const SPACE_EVERY_MS = 1_000

/** What all tests share and has failed. Each test that needs it would fail: instead it is said once, and ends the run. */
let trouble: string | undefined
function giveUp(reason: string): void {
  trouble ??= reason.replaceAll(/\s+/g, ' ').slice(0, 500)
  run?.kill()
}

function checkSpace(): void {
  try {
    const { bavail, bsize } = statfsSync(tmpdir())
    if (bavail * bsize < MIN_FREE_BYTES) giveUp(`The temporary folder ${tmpdir()} is full.`)
  } catch (error) {
    giveUp(`The temporary folder ${tmpdir()} cannot be used: ${(error as Error).message}`)
  }
}

const end = (code: number, passed: number, failed: number, skipped: number): never => {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exit(code)
}

let run: Subprocess | undefined
checkSpace()
if (trouble !== undefined) {
  console.log(trouble)
  end(1, 0, 1, 0)
}
const args = process.argv.slice(2)
const isWhole = args.every(arg => /^--(?!test-name-pattern)/.test(arg))
const folder = await mkdtemp(join(tmpdir(), 'shirube-tests-'))
const report = join(folder, 'report.xml')
run = Bun.spawn(
  [
    process.execPath,
    'test',
    `--parallel=${WORKERS}`,
    // A worker keeps what it has loaded from one file to the next. `test/leftovers.ts` sees that files leave nothing else behind.
    '--no-isolate',
    `--timeout=${DEADLINE_MS}`,
    // How long each file takes; `npm test -- --update-timings` writes it anew.
    '--timings=test/timings.json',
    '--reporter=junit',
    `--reporter-outfile=${report}`,
    ...args,
  ],
  {
    cwd: join(import.meta.dir, '..'),
    stdio: ['inherit', 'inherit', 'inherit'],
    env: { ...process.env, ...lendPostgres(giveUp).env },
  },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => run?.kill(signal))
const watching = setInterval(checkSpace, SPACE_EVERY_MS)
const code = await run.exited
clearInterval(watching)
const xml = await Bun.file(report)
  .text()
  .catch(() => '')
await rm(folder, { recursive: true, force: true })

if (trouble !== undefined) {
  console.log(trouble)
  end(1, 0, 1, 0)
}

const count = (name: string) =>
  Number(new RegExp(`^<testsuites .*\\b${name}="(\\d+)"`, 'm').exec(xml)?.[1] ?? 0)
/** A file that fails to load has no suite in the report. */
const reported = new Set(
  [...xml.matchAll(/^ {2}<testsuite .*?\bfile="([^"]+)" tests="([1-9]\d*)"/gm)].map(([, file]) => file),
)
const all = isWhole ? [...new Glob('test/**/*.test.ts').scanSync('.')] : []
const silent = all.filter(file => !reported.has(file))
for (const file of silent.sort()) console.log(`${file} ran no test.`)
if (count('tests') === 0) console.log('No test was run.')

const broken = count('failures') + silent.length
const isGood = code === 0 && broken === 0 && count('tests') > 0
// An error outside of any test fails the run without failing a test.
const failed = isGood ? 0 : Math.max(1, broken)
const skipped = count('skipped')
const passed = count('tests') - count('failures') - skipped
end(isGood ? 0 : code || 1, passed, failed, skipped)
