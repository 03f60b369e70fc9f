// Writes the client and the guard as plain JavaScript for Node.js and browsers, with their types, into dist/ or a folder that is named.
// `npm pack` runs it first.
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const root = join(import.meta.dir, '..')
const dist = resolve(root, process.argv[2] ?? 'dist')
await rm(dist, { recursive: true, force: true })

const built = await Bun.build({
  entrypoints: [join(root, 'src/http/client/client.ts'), join(root, 'src/http/client/guard.ts')],
  outdir: dist,
  target: 'browser',
  format: 'esm',
})
for (const { path, size } of built.outputs) console.log(`${path} ${size} bytes`)

const types = Bun.spawnSync(
  [
    join(root, 'node_modules/.bin/tsc'),
    ...['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', join(dist, 'types')],
    ...['--rewriteRelativeImportExtensions', '--target', 'esnext', '--module', 'preserve', '--strict'],
    ...['--moduleResolution', 'bundler', '--verbatimModuleSyntax', '--skipLibCheck', '--ignoreConfig'],
    ...[
      '--types',
      'bun',
      '--rootDir',
      join(root, 'src'),
      '--exactOptionalPropertyTypes',
      '--resolveJsonModule',
    ],
    join(root, 'src/http/client/client.ts'),
    join(root, 'src/http/client/guard.ts'),
  ],
  { stdout: 'inherit', stderr: 'inherit' },
)
process.exit(types.exitCode)
