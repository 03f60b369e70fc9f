// Keeps the rooms of the house apart: who may import whom, no circles, and one place for each kind of outside world.

import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

type Rule = {
  /** Rooms and files that may be imported. */
  readonly may: readonly string[]
  /** Of these, only types. */
  readonly typesOnly?: readonly string[]
}

const DOMAIN = ['domain']
const ROOMS: Readonly<Record<string, Rule>> = {
  memory: { may: ['memory'] },
  domain: { may: DOMAIN },
  'clock.ts': { may: [] },
  'file-lock.ts': { may: [] },
  'log.ts': { may: ['clock.ts', 'memory', ...DOMAIN] },
  'config.ts': { may: ['log.ts', ...DOMAIN] },
  'keys.ts': { may: ['store', 'clock.ts', ...DOMAIN], typesOnly: ['store'] },
  'sample.ts': { may: DOMAIN },
  store: { may: ['store', 'clock.ts', ...DOMAIN] },
  search: { may: ['search', 'memory', 'thread-priority.ts', ...DOMAIN] },
  catalog: {
    may: ['catalog', 'search', 'memory', 'store', 'file-lock.ts', 'clock.ts', ...DOMAIN],
    typesOnly: ['store'],
  },
  'turn.ts': { may: ['store', 'clock.ts', ...DOMAIN], typesOnly: ['store'] },
  probe: { may: ['probe', 'store', 'turn.ts', 'clock.ts', ...DOMAIN], typesOnly: ['store'] },
  sync: {
    may: [
      'sync',
      'store',
      'probe/safe-fetch.ts',
      'probe/discovery.ts',
      'probe/x402.ts',
      'clock.ts',
      ...DOMAIN,
    ],
    typesOnly: ['store', 'probe/safe-fetch.ts'],
  },
  chain: { may: ['chain', 'store', 'turn.ts', 'clock.ts', ...DOMAIN], typesOnly: ['store'] },
  hooks: {
    may: ['hooks', 'store', 'probe/safe-fetch.ts', 'turn.ts', 'clock.ts', ...DOMAIN],
    typesOnly: ['store', 'probe/safe-fetch.ts'],
  },
  'owners.ts': { may: ['store', 'keys.ts', 'clock.ts', ...DOMAIN], typesOnly: ['store', 'keys.ts'] },
  'wallet-signature.ts': { may: DOMAIN },
  'sign-in.ts': {
    may: ['store', 'keys.ts', 'wallet-signature.ts', 'clock.ts', ...DOMAIN],
    typesOnly: ['store'],
  },
  'webhooks.ts': {
    may: ['hooks', 'store', 'keys.ts', 'clock.ts', ...DOMAIN],
    typesOnly: ['store', 'keys.ts'],
  },
  'feed.ts': { may: ['catalog', 'store', 'clock.ts', ...DOMAIN], typesOnly: ['catalog', 'store'] },
  'bazaar.ts': { may: ['catalog', ...DOMAIN], typesOnly: ['catalog'] },
  'directory.ts': {
    may: [
      'catalog',
      'store',
      'keys.ts',
      'feed.ts',
      'bazaar.ts',
      'owners.ts',
      'sign-in.ts',
      'webhooks.ts',
      'hooks/send.ts',
      'clock.ts',
      ...DOMAIN,
    ],
    typesOnly: ['catalog', 'store', 'keys.ts', 'hooks/send.ts'],
  },
  http: { may: ['http', 'directory.ts', 'bazaar.ts', 'keys.ts', 'log.ts', 'clock.ts', ...DOMAIN] },
  web: { may: ['web', 'directory.ts', ...DOMAIN] },
  mcp: { may: ['mcp', 'directory.ts', ...DOMAIN] },
  'probing.ts': {
    may: ['probe', 'store', 'config.ts', 'clock.ts', 'http/version.ts', ...DOMAIN],
    typesOnly: ['store', 'config.ts'],
  },
  'probing-messages.ts': { may: ['config.ts', ...DOMAIN], typesOnly: ['config.ts'] },
  'thread-priority.ts': { may: [] },
  'probing-worker.ts': {
    may: ['probe', 'store', 'probing.ts', 'probing-messages.ts', 'thread-priority.ts', 'clock.ts'],
  },
  'probing-thread.ts': { may: ['probing-messages.ts', 'clock.ts', ...DOMAIN] },
  'operator.ts': { may: ['*'] },
  'app.ts': { may: ['*'] },
  cli: {
    may: [
      'cli',
      'app.ts',
      'operator.ts',
      'config.ts',
      'directory.ts',
      'http/client.ts',
      'mcp/stdio.ts',
      'sync',
      'clock.ts',
      ...DOMAIN,
    ],
  },
}

/** What lies beside src and may be imported from anywhere. */
const DOCUMENTS = ['../package.json']

/** What only some files may touch, with the reason. */
const RESERVED: readonly { readonly pattern: RegExp; readonly only: RegExp; readonly why: string }[] = [
  { pattern: /\bprocess\.env\b|\bBun\.env\b/, only: /^config\.ts$/, why: 'settings are read in config.ts' },
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bset(Timeout|Interval)\(/,
    only: /^clock\.ts$/,
    why: 'time comes through clock.ts',
  },
  {
    pattern: /['"]bun:sqlite['"]|from 'postgres'/,
    only: /^(store\/|file-lock\.ts$)/,
    why: 'SQL lives in store',
  },
  {
    pattern: /['"]node:(http|https|tls|dns)['"]|(?<![.\w])fetch\(/,
    // The prober and the readers of sources are handed safe-fetch under the name `fetch`.
    only: /^(probe\/(safe-fetch|exchange|prober)\.ts|sync\/(ask-source|read-origin)\.ts|http\/client\.ts|chain\/.*)$/,
    why: 'requests leave through safe-fetch, chain or http/client',
  },
]
const VAGUE_NAMES = /(^|\/)(utils?|helpers?|common|types|index|misc)\.tsx?$/
const IMPORT =
  /(?:^|\n)\s*(import|export)\s+(type\s+)?[^;'"]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)/g

type Import = { readonly from: string; readonly to: string; readonly typeOnly: boolean }

const src = join(import.meta.dir, '..', 'src')
const files = [...new Glob('**/*.{ts,tsx}').scanSync(src)].sort()
const problems: string[] = []
const imports: Import[] = []

for (const file of files) {
  const code = await Bun.file(join(src, file)).text()
  if (VAGUE_NAMES.test(file))
    problems.push(`${file}: the name says nothing; name the one thought of the file`)
  for (const [, , type, from, dynamic] of code.matchAll(IMPORT)) {
    imports.push({
      from: file,
      to: normalize(join(dirname(file), (from ?? dynamic)!)),
      typeOnly: type !== undefined,
    })
  }
  const withoutComments = code.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*/g, '')
  for (const { pattern, only, why } of RESERVED) {
    if (pattern.test(withoutComments) && !only.test(file))
      problems.push(`${file}: ${pattern.exec(withoutComments)![0]}: ${why}`)
  }
}

const roomOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : file)
const isIn = (file: string, places: readonly string[]) =>
  places.some(place => place === '*' || place === file || place === roomOf(file))

for (const { from, to, typeOnly } of imports) {
  const rule = ROOMS[roomOf(from)]
  if (!rule) problems.push(`${from}: its room has no rule in scripts/check-imports.ts`)
  else if (DOCUMENTS.includes(to)) continue
  else if (to.startsWith('..')) problems.push(`${from} imports ${to}: outside src`)
  else if (!isIn(to, rule.may))
    problems.push(`${from} imports ${to}: ${roomOf(from)} may import ${rule.may.join(', ')}`)
  else if (!typeOnly && isIn(to, rule.typesOnly ?? [])) problems.push(`${from} imports ${to}: types only`)
}

problems.push(...findCircles())
for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${imports.length} imports, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)

function findCircles(): string[] {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push(`circle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
    if (done.has(file)) return
    done.add(file)
    for (const { to } of targets.get(file) ?? []) visit(to, [...path, file])
  }
  for (const file of files) visit(file, [])
  return circles
}
