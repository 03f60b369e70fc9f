// Writes one executable for this platform, or for `--target bun-linux-arm64` and the like, with everything that it reads embedded:
// dist/shirube, or a file that is named.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dir, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { target: { type: 'string' } },
})
/** The command line, and the thread that probes. */
const ENTRIES = ['src/cli/main.ts', 'src/app/probing/worker.ts']
/** What is read at run time; of `src` what pages load. */
const EMBEDDED = ['package.json', '.env.example', 'data', 'src']
const outfile = resolve(root, positionals[0] ?? 'dist/shirube')
const { exitCode } = Bun.spawnSync(
  [
    process.execPath,
    'build',
    '--compile',
    '--root=.',
    ...(values.target ? [`--target=${values.target}`] : []),
    ...EMBEDDED.map(path => `--asset=${path}`),
    ...ENTRIES,
    `--outfile=${outfile}`,
  ],
  { cwd: root, stdout: 'inherit', stderr: 'inherit' },
)
process.exit(exitCode)
