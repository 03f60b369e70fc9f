// Writes the client and the guard as plain JavaScript for Node.js and browsers, each with its types in one file that needs no other,
// into dist/ or a folder that is named. `npm pack` runs it first, for this package and for packages/client.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const root = join(import.meta.dir, '..')
const folder = resolve(root, process.argv[2] ?? 'dist')
const MODULES = ['client', 'guard']
const sources = MODULES.map(name => join(root, 'src/http/client', `${name}.ts`))

const { outputs } = await Bun.build({
  entrypoints: sources,
  outdir: folder,
  target: 'browser',
  format: 'esm',
  // Names stay: they are what a stack trace tells.
  minify: { syntax: true, whitespace: true },
  plugins: [
    {
      name: 'the words of the client alone',
      setup(build) {
        const path = join(root, 'src/messages/for-client.ts')
        build.onResolve({ filter: /\/tables\.ts$/ }, () => ({ path }))
      },
    },
  ],
})
for (const { path, size } of outputs) console.log(`${path} ${size} bytes`)

// Inside the project, so that what the types name is found.
await mkdir(join(root, 'tmp'), { recursive: true })
const declarations = await mkdtemp(join(root, 'tmp', 'types-'))
try {
  run(
    join(root, 'node_modules/.bin/tsc'),
    // Several threads would look at the same types again, each for itself.
    ...[
      '--singleThreaded',
      '--declaration',
      '--emitDeclarationOnly',
      '--noEmit',
      'false',
      '--outDir',
      declarations,
    ],
    ...['--rewriteRelativeImportExtensions', '--target', 'esnext', '--module', 'preserve', '--strict'],
    ...['--moduleResolution', 'bundler', '--verbatimModuleSyntax', '--skipLibCheck', '--ignoreConfig'],
    ...['--types', 'bun', '--rootDir', join(root, 'src'), '--exactOptionalPropertyTypes'],
    ...['--resolveJsonModule', '--noCheck', ...sources],
  )
  const config = join(declarations, 'tsconfig.json')
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true },
    ...{ module: 'preserve', moduleResolution: 'bundler', target: 'esnext', types: [] },
  }
  const files = MODULES.map(name => `http/client/${name}.d.ts`)
  await Bun.write(config, JSON.stringify({ compilerOptions, files }))
  const pairs = MODULES.flatMap((name, i) => [files[i]!, join(folder, `${name}.d.ts`)])
  run('node', join(import.meta.dir, 'flatten-types.mjs'), config, ...pairs)
} finally {
  await rm(declarations, { recursive: true, force: true })
}

function run(...command: readonly string[]): void {
  const { exitCode } = Bun.spawnSync([...command], { stdout: 'inherit', stderr: 'inherit' })
  if (exitCode !== 0) throw new Error(`${command[0]} ended with ${exitCode}.`)
}
