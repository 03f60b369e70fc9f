// Enforces the import rules of the folders in src and of packages/buyer: who may import whom, no cycles, and one place for each kind of
// outside world.

import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

type Rule = {
  /** Folders that may be imported. */
  readonly may: readonly string[]
  /** Of these, only types. */
  readonly typesOnly?: readonly string[]
}

const BASE = ['domain', 'messages', 'memory', 'package', 'runtime']
const FOLDERS: Readonly<Record<string, Rule>> = {
  memory: { may: ['memory'] },
  messages: { may: ['messages'] },
  package: { may: ['package'] },
  runtime: { may: ['runtime', 'domain', 'messages', 'memory', 'store'], typesOnly: ['store'] },
  domain: { may: ['domain', 'messages', 'memory', 'package'] },
  store: { may: ['store', ...BASE] },
  search: { may: ['search', ...BASE] },
  catalog: { may: ['catalog', 'search', 'store', ...BASE], typesOnly: ['store'] },
  probe: { may: ['probe', 'store', ...BASE], typesOnly: ['store'] },
  sync: { may: ['sync', 'store', 'probe', ...BASE], typesOnly: ['store'] },
  chain: { may: ['chain', 'store', ...BASE], typesOnly: ['store'] },
  webhooks: { may: ['webhooks', 'store', 'probe', ...BASE], typesOnly: ['store', 'probe'] },
  directory: { may: ['directory', 'catalog', 'store', 'webhooks', ...BASE], typesOnly: ['catalog', 'store'] },
  http: { may: ['http', 'directory', 'web', 'mcp', ...BASE], typesOnly: ['web', 'mcp'] },
  web: { may: ['web', 'directory', ...BASE] },
  mcp: { may: ['mcp', 'directory', ...BASE] },
  app: { may: ['*'] },
  // packages/buyer/src: imports src by the name of its package.
  buyer: { may: ['buyer', 'app', 'chain', 'cli', 'directory', 'mcp', 'probe', 'store', ...BASE] },
  cli: { may: ['cli', 'app', 'directory', 'http', 'mcp', 'sync', ...BASE] },
}

/** What lies beside src and may be imported from anywhere. */
const DOCUMENTS = ['../package.json']

/** What only some files may touch, with the reason. */
const RESERVED: readonly { readonly pattern: RegExp; readonly only: RegExp; readonly why: string }[] = [
  {
    pattern: /\bprocess\.env\b|\bBun\.env\b/,
    // The snippets of domain/call read a key from the environment of whoever runs them.
    only: /^(app\/config|domain\/call\/payer)\.ts$/,
    why: 'settings are read in app/config.ts',
  },
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bset(Timeout|Interval)\(/,
    only: /^runtime\/clock\.ts$/,
    why: 'time comes through runtime/clock.ts',
  },
  {
    pattern: /['"]bun:sqlite['"]|from 'postgres'/,
    only: /^(store\/|runtime\/file-lock\.ts$)/,
    why: 'SQL lives in store',
  },
  {
    pattern: /['"]node:(http|https|tls|dns)['"]|(?<![.\w])fetch\(/,
    // The prober, the buyer and the readers of sources are handed safe-fetch under the name `fetch`; domain/call writes snippets.
    only: /^(domain\/call\/call\.ts|buyer\/seller\.ts|probe\/(prober|requests\/(safe-fetch|exchange))\.ts|sync\/(read-source|source-reader)\.ts|http\/client\/(client|guard)\.ts|chain\/.*)$/,
    why: 'requests leave through safe-fetch, chain or http/client',
  },
  {
    pattern: /['"]shirube(-buyer['"]|\/)/,
    only: /^buyer\/|^cli\/buyer-package\.ts$/,
    why: 'nothing in src imports what signs and pays',
  },
  {
    pattern: /japanese|'ja'|\bja:/i,
    only: /(^|\/)languages\/|^messages\//,
    why: 'what is of one language lives in its folder or file under languages',
  },
  {
    pattern: /hiragana|katakana/i,
    only: /(^|\/)languages\/|^(?!(search|catalog|domain)\/)/,
    why: 'scripts of one language are known in its folder or file under languages',
  },
]
const BUYER = 'buyer/'
const VAGUE_NAMES = /(^|\/)(utils?|helpers?|common|types|index|misc)\.tsx?$/
const IMPORT =
  /(?:^|\n)\s*(import|export)\s+(type\s+)?[^;'"]*?from\s+'((?:\.|shirube\/)[^']+)'|import\(\s*'((?:\.|shirube\/)[^']+)'\s*\)/g

type Import = { readonly from: string; readonly to: string; readonly typeOnly: boolean }

const src = join(import.meta.dir, '..', 'src')
const buyer = join(import.meta.dir, '..', 'packages/buyer/src')
const scan = (folder: string) => [...new Glob('**/*.{ts,tsx}').scanSync(folder)].sort()
const files = [...scan(src), ...scan(buyer).map(file => BUYER + file)]
const pathOf = (file: string) =>
  file.startsWith(BUYER) ? join(buyer, file.slice(BUYER.length)) : join(src, file)
const problems: string[] = []
const imports: Import[] = []

for (const file of files) {
  const code = await Bun.file(pathOf(file)).text()
  if (VAGUE_NAMES.test(file))
    problems.push(`${file}: the name says nothing; name the one thought of the file`)
  for (const [, , type, from, dynamic] of code.matchAll(IMPORT)) {
    const named = (from ?? dynamic)!
    const to = named.startsWith('.') ? normalize(join(dirname(file), named)) : named.slice('shirube/'.length)
    imports.push({ from: file, to, typeOnly: type !== undefined })
  }
  const withoutComments = code.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*/g, '')
  for (const { pattern, only, why } of RESERVED) {
    if (pattern.test(withoutComments) && !only.test(file))
      problems.push(`${file}: ${pattern.exec(withoutComments)![0]}: ${why}`)
  }
}

const folderOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : file)
const isIn = (file: string, places: readonly string[]) =>
  places.some(place => place === '*' || place === folderOf(file))

for (const { from, to, typeOnly } of imports) {
  const rule = FOLDERS[folderOf(from)]
  if (!rule) problems.push(`${from}: its folder has no rule in scripts/check-imports.ts`)
  else if (DOCUMENTS.includes(to)) continue
  else if (to.startsWith('..')) problems.push(`${from} imports ${to}: outside src`)
  else if (!isIn(to, rule.may))
    problems.push(`${from} imports ${to}: ${folderOf(from)} may import ${rule.may.join(', ')}`)
  else if (!typeOnly && isIn(to, rule.typesOnly ?? [])) problems.push(`${from} imports ${to}: types only`)
}

problems.push(...findCycles())
for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${imports.length} imports, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)

function findCycles(): string[] {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push(`cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
    if (done.has(file)) return
    done.add(file)
    for (const { to } of targets.get(file) ?? []) visit(to, [...path, file])
  }
  for (const file of files) visit(file, [])
  return cycles
}
