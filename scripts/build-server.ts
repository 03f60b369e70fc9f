// Writes the command line and the server with all libraries in them into dist/ or a folder that is named, so that the published
// package needs nothing but Bun. What is loaded late stays in pieces of its own. `npm pack` runs it first.
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Glob } from 'bun'
import { collectNotices } from './third-party-notices.ts'

const root = join(import.meta.dir, '..')
const src = join(root, 'src')
const folder = resolve(root, process.argv[2] ?? 'dist')
/** What is started by its file: by the launchers, by `serve --workers`, as the thread that probes. */
const ENTRIES = ['cli/main.ts', 'cli/worker.ts', 'app/probing/worker.ts']
/** What pages load is read as it is. */
const ASSETS = new Glob('web/**/*.{css,js,ico,png}')

for (const part of ['app', 'chunks', 'cli', 'web'])
  await rm(join(folder, part), { recursive: true, force: true })
const { outputs, metafile } = await Bun.build({
  entrypoints: ENTRIES.map(entry => join(src, entry)),
  root: src,
  outdir: folder,
  target: 'bun',
  format: 'esm',
  splitting: true,
  naming: { entry: '[dir]/[name].[ext]', chunk: 'chunks/[name]-[hash].[ext]' },
  // Names and lines stay: they are what a stack trace tells.
  minify: { syntax: true },
  metafile: true,
})
for (const asset of ASSETS.scanSync(src)) {
  await mkdir(dirname(join(folder, asset)), { recursive: true })
  await cp(join(src, asset), join(folder, asset))
}
await Bun.write(join(folder, 'THIRD-PARTY-NOTICES'), collectNotices(Object.keys(metafile!.inputs)))

const bytes = outputs.reduce((sum, { size }) => sum + size, 0)
console.log(`${folder}: ${outputs.length} modules, ${bytes} bytes`)
