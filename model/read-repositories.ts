// Documentation, catalogs and sentences from public repositories (model/repositories.txt): paragraphs and their translations, what
// functions, operations and places are called and what is said of them, in each language and across both.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { YAML } from 'bun'
import { align, type Block, isJapaneseText, readDocbook, readMarkdown, toPlainText } from './blocks.ts'
import { type Pair, type PairSources, readLines } from './pair.ts'

const A_LENGTH = 300
const B_LENGTH = 600
/** A heading that stands in more documents than this says nothing about its text ("Examples", "See also"). */
const COMMON_HEADING = 3

/** Each text once on either side, so that what all documents repeat is not learnt over and over. */
function toPairs(found: Iterable<Pair>): Pair[] {
  const seenA = new Set<string>()
  const seenB = new Set<string>()
  const pairs: Pair[] = []
  for (const { a, b } of found) {
    const pair = { a: a.slice(0, A_LENGTH), b: b.slice(0, B_LENGTH) }
    if (pair.a === pair.b || pair.a.length < 2 || pair.b.length < 3) continue
    if (seenA.has(pair.a) || seenB.has(pair.b)) continue
    seenA.add(pair.a)
    seenB.add(pair.b)
    pairs.push(pair)
  }
  return pairs
}

const isTranslation = ({ a, b }: Pair) => isJapaneseText(a) && !isJapaneseText(b) && /[a-z]{3}/i.test(b)
const toTranslations = (found: Iterable<Pair>) => toPairs([...found].filter(isTranslation))

const listFiles = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith(ending))
    .sort()

const read = (...path: string[]) => readFileSync(join(...path), 'utf8').replaceAll('\r\n', '\n')

/** Among hundreds of files from many hands, a few do not parse. */
function parseOr<T>(parse: (text: string) => unknown, text: string, otherwise: T): unknown {
  try {
    return parse(text)
  } catch {
    return otherwise
  }
}

/** A document in both languages; one of them may be missing. */
type Page = { readonly ja: readonly Block[]; readonly en: readonly Block[] }

function readPages(english: string, japanese: string, toJapanese = (path: string) => path): Page[] {
  const blocksOf = (path: string) => (existsSync(path) ? readMarkdown(read(path)) : [])
  return listFiles(english, '.md')
    .filter(path => !path.startsWith('translations/'))
    .map(path => ({ en: blocksOf(join(english, path)), ja: blocksOf(join(japanese, toJapanese(path))) }))
}

/** Each heading with the paragraph below it. */
const toTitled = (blocks: readonly Block[]): [Block, Block][] =>
  blocks.flatMap((block, i) => {
    const next = blocks[i + 1]
    return block.kind !== 'p' && next?.kind === 'p' && next.text.length > 20
      ? [[block, next] as [Block, Block]]
      : []
  })

function addPages(name: string, pages: readonly Page[], sources: PairSources): void {
  const aligned = pages.map(({ ja, en }) => align(ja, en))
  const paragraphs = aligned.flat().map(([ja, en]) => ({ a: ja.text, b: en.text }))
  const counts = new Map<string, number>()
  for (const { ja, en } of pages)
    for (const { kind, text } of [...ja, ...en])
      if (kind !== 'p') counts.set(text, (counts.get(text) ?? 0) + 1)
  const isTelling = (heading: Block) => counts.get(heading.text)! <= COMMON_HEADING
  const titles: Pair[] = []
  const across: Pair[] = []
  pages.forEach(({ ja, en }, i) => {
    const toEnglish = new Map(aligned[i])
    for (const [heading, text] of [...toTitled(en), ...toTitled(ja)].filter(([heading]) =>
      isTelling(heading),
    ))
      titles.push({ a: heading.text, b: text.text })
    for (const [heading, text] of toTitled(ja)) {
      const other = toEnglish.get(text)
      if (other !== undefined && isTelling(heading)) across.push({ a: heading.text, b: other.text })
    }
  })
  sources.set(`${name}_ja`, toTranslations(paragraphs))
  sources.set(`${name}_title`, toPairs(titles))
  sources.set(`${name}_title_ja`, toTranslations(across))
}

/** What a function or operation is called, what it is for in a few words, and what is said of it. */
type Entry = { readonly name: string; readonly summary?: string; readonly text?: string }

function addEntries(
  name: string,
  entries: readonly { ja?: Entry; en?: Entry }[],
  sources: PairSources,
): void {
  const within = (entry: Entry | undefined): Pair[] =>
    entry === undefined
      ? []
      : [
          ...(entry.summary ? [{ a: entry.summary, b: `${entry.name} . ${entry.text ?? ''}` }] : []),
          ...(entry.summary ? [{ a: entry.name, b: entry.summary }] : []),
        ]
  const across = entries.flatMap(({ ja, en }) =>
    ja?.summary && en?.summary
      ? [
          { a: ja.summary, b: `${en.name} . ${en.summary}` },
          { a: ja.text || ja.summary, b: en.summary },
          { a: `${ja.summary} `, b: `${en.name} . ${en.text ?? ''}` },
        ]
      : [],
  )
  sources.set(`${name}_entry`, toPairs(entries.flatMap(({ en }) => within(en))))
  const japanese = toPairs(entries.flatMap(({ ja }) => within(ja)))
  if (japanese.length > 0) sources.set(`${name}_entry_mono`, japanese)
  if (across.length > 0) sources.set(`${name}_entry_ja`, toTranslations(across))
}

function addPhp(folder: string, sources: PairSources): void {
  const english = join(folder, 'php/doc-en')
  const japanese = join(folder, 'php/doc-ja')
  const toEntry = (xml: string): Entry | undefined => {
    const found = (pattern: RegExp) => toPlainText(xml.match(pattern)?.[1] ?? '')
    const name = found(/<refname>([\s\S]*?)<\/refname>/)
    if (name === '') return undefined
    const text = found(/<refsect1 role="description">[\s\S]*?<(?:sim)?para\b[^>]*>([\s\S]*?)<\/(?:sim)?para>/)
    return { name, summary: found(/<refpurpose>([\s\S]*?)<\/refpurpose>/), text }
  }
  const paragraphs: Pair[] = []
  const entries: { ja?: Entry; en?: Entry }[] = []
  for (const path of listFiles(english, '.xml')) {
    const en = read(english, path)
    const ja = existsSync(join(japanese, path)) ? read(japanese, path) : ''
    entries.push({ en: toEntry(en), ja: toEntry(ja) } as { ja?: Entry; en?: Entry })
    for (const [a, b] of align(readDocbook(ja), readDocbook(en))) paragraphs.push({ a: a.text, b: b.text })
  }
  sources.set('php_ja', toTranslations(paragraphs))
  addEntries('php', entries, sources)
}

/** reStructuredText's roles, literals and links as what they show. */
const withoutRoles = (text: string) =>
  toPlainText(
    text
      .replace(/:[\w:+-]+:`[!~]?([^`<]*?)\s*(?:<[^>`]*>)?`/g, '$1')
      .replace(/`([^`<]*?)\s*<[^>`]*>`_*/g, '$1')
      .replace(/[`*|]|::$|\\/g, ''),
  )

function addPython(folder: string, sources: PairSources): void {
  const root = join(folder, 'python/python-docs-ja')
  const textOf = (lines: string) =>
    [...lines.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
      .map(match => match[1]!.replace(/\\n/g, ' ').replace(/\\(.)/g, '$1'))
      .join('')
  const pairs: Pair[] = []
  for (const path of listFiles(root, '.po')) {
    for (const entry of read(root, path).split('\n\n')) {
      const match = entry.match(/^msgid ((?:".*"\n?)+)msgstr ((?:".*"\n?)+)/m)
      if (match === null || /^#,.*fuzzy/m.test(entry) || match[1]!.includes('>>>')) continue
      pairs.push({ a: withoutRoles(textOf(match[2]!)), b: withoutRoles(textOf(match[1]!)) })
    }
  }
  sources.set('python_ja', toTranslations(pairs))
}

/** Each English text stands in a comment before its translation. */
function addPostgres(folder: string, sources: PairSources): void {
  const root = join(folder, 'pgsql-jp/jpug-doc/doc/src/sgml')
  const pairs: Pair[] = []
  for (const path of listFiles(root, '.sgml')) {
    for (const [, comment, text] of read(root, path).matchAll(
      /<!--\n([\s\S]*?)-->\n([\s\S]*?)(?=<!--|<\/?(?:para|title|entry|itemizedlist|variablelist|listitem|programlisting|screen|indexterm|sect\d|refpurpose)\b)/g,
    )) {
      if (!/<\/?(?:para|title|entry|listitem|row)\b/.test(comment!))
        pairs.push({ a: toPlainText(text!), b: toPlainText(comment!) })
    }
  }
  sources.set('postgres_ja', toTranslations(pairs))
}

/** The texts of a translated file by their path in it. */
function* toLeaves(value: unknown, path = ''): Iterable<[string, string]> {
  if (typeof value === 'string')
    yield [path, toPlainText(value.replace(/\{\{?\w+\}?\}|[`*]+|%\{?\w+\}?/g, ' '))]
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* toLeaves(inner, `${path}.${key}`)
}

function toMessages(english: unknown, japanese: unknown): Pair[] {
  const texts = new Map(toLeaves(english))
  return [...toLeaves(japanese)].flatMap(([path, a]) => (texts.has(path) ? [{ a, b: texts.get(path)! }] : []))
}

function addWallets(folder: string, sources: PairSources): void {
  const blue = (file: string) => JSON.parse(read(folder, 'BlueWallet/BlueWallet/loc', file))
  // Not YAML throughout; a page's texts are one per line.
  const bitcoin = (language: string) => {
    let page = ''
    const texts: Record<string, string> = {}
    for (const line of readLines(
      join(folder, 'bitcoin-dot-org/bitcoin.org/_translations', `${language}.yml`),
    )) {
      page = line.match(/^ {2}([\w-]+):$/)?.[1] ?? page
      const text = line.match(/^ {4}([\w-]+): "(.+)"$/)
      if (text !== null) texts[`${page}.${text[1]}`] = text[2]!
    }
    return texts
  }
  sources.set(
    'wallets_ja',
    toTranslations([
      ...toMessages(blue('en.json'), blue('jp_jp.json')),
      ...toMessages(bitcoin('en'), bitcoin('ja')),
    ]),
  )
}

function addEthereum(folder: string, sources: PairSources): void {
  const root = join(folder, 'ethereum/ethereum-org-website')
  addPages(
    'ethereum',
    readPages(join(root, 'public/content'), join(root, 'public/content/translations/ja')),
    sources,
  )
  const messages = listFiles(join(root, 'src/intl/ja'), '.json').flatMap(file => {
    const english = join(root, 'src/intl/en', file)
    return existsSync(english)
      ? toMessages(JSON.parse(read(english)), JSON.parse(read(root, 'src/intl/ja', file)))
      : []
  })
  sources.set('ethereum_screens', toTranslations(messages))
}

/** What the steps of an automation are called and what they do, for some seven hundred services. */
function addAutomation(folder: string, sources: PairSources): void {
  const root = join(folder, 'activepieces/activepieces/packages/pieces')
  const pairs = listFiles(root, 'i18n/ja.json').flatMap(path =>
    Object.entries(JSON.parse(read(root, path)) as Record<string, string>).map(([b, a]) => ({
      a: toPlainText(a),
      b: toPlainText(b),
    })),
  )
  sources.set('automation_ja', toTranslations(pairs))
}

type Translated = { en_US?: string; ja_JP?: string }
type Tool = {
  identity?: { name?: string; label?: Translated }
  description?: { human?: Translated; llm?: string }
}

/** Tools of language models, with labels and descriptions for people and for models. */
function addTools(folder: string, sources: PairSources): void {
  const root = join(folder, 'langgenius/dify-official-plugins/tools')
  const translations: Pair[] = []
  const within: Pair[] = []
  const collect = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const { en_US: b, ja_JP: a } = value as Translated
    if (typeof a === 'string' && typeof b === 'string') translations.push({ a, b })
    else for (const inner of Object.values(value)) collect(inner)
  }
  for (const path of listFiles(root, '.yaml')) {
    const tool = parseOr(YAML.parse, read(root, path), {}) as Tool
    const { human, llm } = tool?.description ?? {}
    const label = tool?.identity?.label
    if (human?.ja_JP !== undefined && llm !== undefined)
      translations.push({ a: human.ja_JP, b: `${label?.en_US ?? ''} . ${llm}` })
    if (label?.ja_JP !== undefined && human?.ja_JP !== undefined)
      within.push({ a: label.ja_JP, b: human.ja_JP })
    if (label?.en_US !== undefined && llm !== undefined) within.push({ a: label.en_US, b: llm })
    collect(tool)
  }
  sources.set('tools_ja', toTranslations(translations))
  sources.set('tools_label', toPairs(within))
}

/** Kinds of places, and the words they are looked for by. */
function addPlaces(folder: string, sources: PairSources): void {
  type Preset = { name?: string; terms?: string[]; aliases?: string[] }
  const presets = (language: string) =>
    JSON.parse(read(folder, 'openstreetmap/id-tagging-schema/dist/translations', `${language}.json`))[
      language
    ].presets.presets as Record<string, Preset>
  const english = presets('en')
  const wordsOf = ({ name = '', terms = [], aliases = [] }: Preset) =>
    [name, ...aliases, ...terms].join(' . ')
  const across: Pair[] = []
  const within: Pair[] = []
  const addWithin = (preset: Preset) => {
    for (const a of [...(preset.aliases ?? []), ...(preset.terms ?? [])])
      within.push({ a, b: wordsOf(preset) })
  }
  for (const [key, preset] of Object.entries(presets('ja'))) {
    addWithin(preset)
    const other = english[key]
    if (other === undefined) continue
    across.push({ a: wordsOf(preset), b: wordsOf(other) }, { a: preset.name ?? '', b: other.name ?? '' })
  }
  for (const preset of Object.values(english)) addWithin(preset)
  sources.set('places_ja', toTranslations(across))
  sources.set(
    'places_term',
    within.filter(({ a, b }) => a.length > 1 && a !== b),
  )
}

/** Ruby's reference, in Japanese: what a method does, and what it is called and more. */
function addRuby(folder: string, sources: PairSources): void {
  const root = join(folder, 'rurema/doctree/refm/api/src')
  const pairs: Pair[] = []
  for (const path of listFiles(root, '')) {
    if (path.includes('.') || statSync(join(root, path)).isDirectory()) continue
    const text = read(root, path)
    const owner = text.match(/^= (?:class|module|object) (\S+)/m)?.[1] ?? path
    const [, ...methods] = text
      .replace(/^#@samplecode[\s\S]*?^#@end$/gm, '')
      .replace(/^#@.*$/gm, '')
      .split(/^--- /m)
    for (const method of methods) {
      const name = method.match(/^[\w?!=.]+/)?.[0]
      const body = method.replace(/^.*\n(?:--- .*\n)*/, '').split(/^(?:=|@see|@raise)/m)[0]!
      const plain = toPlainText(
        body.replace(/\[\[(?:\w+:)?([^\]]*)\]\]/g, '$1').replace(/@(param|return)\s*\w*/g, ' '),
      )
      const end = plain.indexOf('。') + 1
      if (name === undefined || end < 6 || !isJapaneseText(plain)) continue
      pairs.push({ a: plain.slice(0, end), b: `${owner} ${name} . ${plain.slice(end)}` })
    }
  }
  sources.set('ruby_mono', toPairs(pairs))
}

type Swagger = {
  info?: { title?: string; description?: string }
  paths?: Record<string, Record<string, { summary?: string; description?: string }>>
}

function addConnectors(folder: string, sources: PairSources): void {
  const root = join(folder, 'microsoft/PowerPlatformConnectors')
  const pairs: Pair[] = []
  for (const path of listFiles(root, 'apiDefinition.swagger.json')) {
    const api = parseOr(JSON.parse, read(root, path).replace(/^\uFEFF/, ''), {}) as Swagger
    const { title = '', description = '' } = api.info ?? {}
    pairs.push({ a: title, b: description })
    for (const operation of Object.values(api.paths ?? {}).flatMap(methods => Object.values(methods))) {
      const { summary, description: text } = operation ?? {}
      if (typeof summary === 'string' && typeof text === 'string' && summary !== text)
        pairs.push({ a: summary, b: `${title} . ${text}` })
    }
  }
  sources.set('connectors', toPairs(pairs))
}

/** Titles and summaries of an API's operations; the Japanese pages are older, so only those are taken. */
function addGraph(folder: string, sources: PairSources): void {
  const toEntry = (root: string, path: string): Entry | undefined => {
    if (!existsSync(join(root, path))) return undefined
    const text = read(root, path)
    const found = (key: string) => text.match(new RegExp(`^${key}:\\s*["']?(.*?)["']?\\s*$`, 'm'))?.[1] ?? ''
    return {
      name: path.replace(/\.md$/, '').replaceAll('-', ' '),
      summary: found('title'),
      text: found('description'),
    }
  }
  const english = join(folder, 'microsoftgraph/microsoft-graph-docs-contrib/api-reference/v1.0/api')
  const japanese = join(folder, 'jinroq/microsoft-graph-docs.ja-JP/api-reference/v1.0/api')
  addEntries(
    'graph',
    listFiles(english, '.md')
      .filter(path => !path.startsWith('intune-'))
      .map(
        path => ({ en: toEntry(english, path), ja: toEntry(japanese, path) }) as { ja?: Entry; en?: Entry },
      ),
    sources,
  )
}

function addSentences(folder: string, sources: PairSources): void {
  const parallel = (language: string) =>
    readLines(join(folder, 'odashi/small_parallel_enja', `train.${language}`))
  const english = parallel('en')
  sources.set(
    'tanaka',
    parallel('ja').map((line, i) => ({ a: line.replaceAll(' ', ''), b: english[i]! })),
  )

  const { train } = JSON.parse(read(folder, 'clinc/oos-eval/data/data_full.json')) as {
    train: [string, string][]
  }
  sources.set(
    'clinc',
    train.map(([a, intent]) => ({ a, b: intent.replaceAll('_', ' ') })),
  )

  const glue = (file: string) => join(folder, 'yahoojapan/JGLUE/datasets', file)
  const rows = <T>(file: string): T[] => readLines(glue(file)).map(line => JSON.parse(line))
  type Two = { sentence1: string; sentence2: string; label: number }
  sources.set(
    'jglue_same',
    rows<Two>('jsts-v1.3/train-v1.3.json')
      .filter(({ label }) => label >= 4)
      .map(({ sentence1: a, sentence2: b }) => ({ a, b })),
  )
  type Choice = { question: string; label: number } & Record<`choice${number}`, string>
  sources.set(
    'jglue_question',
    rows<Choice>('jcommonsenseqa-v1.3/train-v1.3.json').map(row => ({
      a: row.question,
      b: row[`choice${row.label}`]!,
    })),
  )
}

function addAgentServers(folder: string, sources: PairSources): void {
  const root = join(folder, 'punkpeye/awesome-mcp-servers')
  const readList = (file: string) =>
    new Map(
      [...read(root, file).matchAll(/^\s*- \[([^\]]+)\]\((https?:[^)]+)\)(.*?) [-–] (.+)$/gm)].map(
        ([, name, url, , text]) =>
          [
            url!.toLowerCase(),
            { name: name!, text: toPlainText(text!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')) },
          ] as const,
      ),
    )
  const english = readList('README.md')
  const pairs = [...readList('README-ja.md')].flatMap(([url, { text }]) => {
    const other = english.get(url)
    return other === undefined ? [] : [{ a: text, b: other.text }]
  })
  sources.set('mcp_ja', toTranslations(pairs))
  sources.set(
    'mcp_name',
    toPairs([...english.values()].map(({ name, text }) => ({ a: name.split('/').at(-1)!, b: text }))),
  )
}

export function addRepositoryPairs(from: string, sources: PairSources): void {
  const folder = join(from, 'repositories')
  const at = (...path: string[]) => join(folder, ...path)
  addPhp(folder, sources)
  addPython(folder, sources)
  addPostgres(folder, sources)
  addPages('mdn', readPages(at('mdn/content/files/en-us'), at('mdn/translated-content/files/ja')), sources)
  addPages(
    'k8s',
    readPages(at('kubernetes/website/content/en'), at('kubernetes/website/content/ja')),
    sources,
  )
  addPages(
    'software',
    [
      ...readPages(
        at('open-telemetry/opentelemetry.io/content/en'),
        at('open-telemetry/opentelemetry.io/content/ja'),
      ),
      ...readPages(at('cncf/glossary/content/en'), at('cncf/glossary/content/ja')),
      ...readPages(at('electron/i18n/content/en-US'), at('electron/i18n/content/ja-JP')),
      ...readPages(
        at('huggingface/transformers/docs/source/en'),
        at('huggingface/transformers/docs/source/ja'),
      ),
      ...readPages(at('angular/angular-ja/adev-ja'), at('angular/angular-ja/adev-ja'), path =>
        path.replace('.en.md', '.md'),
      ),
    ],
    sources,
  )
  addEthereum(folder, sources)
  addWallets(folder, sources)
  addAutomation(folder, sources)
  addTools(folder, sources)
  addPlaces(folder, sources)
  addRuby(folder, sources)
  addConnectors(folder, sources)
  addGraph(folder, sources)
  addSentences(folder, sources)
  addAgentServers(folder, sources)
}
