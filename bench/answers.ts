// Is every answer still the same, byte for byte? Records the answers to 14,000 questions, histories among them, or compares with a record.
// bun bench/answers.ts record <file> | compare <file>
import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/app/config.ts'
import { openApp } from '../src/app/server.ts'
import { createIdSource } from '../src/domain/ids.ts'
import type { Entry } from '../src/domain/listing/service.ts'
import { type Clock, systemClock } from '../src/runtime/clock.ts'
import { openStore } from '../src/store/open.ts'
import type { Store } from '../src/store/store.ts'
import { readStandingSample } from '../test/quality/standing-sample.ts'
import { askedOfProbed, createProbedEntries, KEY, probeAll } from './probed.ts'
import { createEntries } from './question-entries.ts'
import { askedOfCatalog, askedOfSample, type Question } from './questions.ts'
import { askedOfPayments } from './resolve-questions.ts'

const ENTRIES = 20_000
const MAX_SHOWN = 10
const NOW = new Date('2026-11-01T12:00:00Z')
/** Headers that say something of the answer; the others say something of the connection or the moment. */
const HEADERS = [
  'content-type',
  'etag',
  'link',
  'x-total-count',
  'x-notice',
  'x-ignored-fields',
  'cache-control',
  'vary',
  'content-language',
  'location',
  'allow',
  'www-authenticate',
]

/** Time stands still for answers; waiting goes on as ever. */
const stillClock: Clock = { now: () => new Date(NOW), sleep: systemClock.sleep }

/** The name of a timeline, which cursors hold, is eight bytes drawn by lot; here they are counted. */
const draw = crypto.getRandomValues.bind(crypto)
let drawn = 0
crypto.getRandomValues = array => {
  if (!(array instanceof Uint8Array && array.length === 8)) return draw(array)
  array.fill(++drawn)
  return array
}

type Answer = { readonly status: number; readonly headers: string; readonly body: string }

const [mode, path] = process.argv.slice(2)
if ((mode !== 'record' && mode !== 'compare') || path === undefined) {
  console.error('bun bench/answers.ts record <file> | compare <file>')
  process.exit(2)
}

const sample = await withFixedIds(await readStandingSample(NOW))
const entries = createEntries(ENTRIES)
const probed = createProbedEntries()
const record = new Database(path)
record.run(
  'CREATE TABLE IF NOT EXISTS answers (question TEXT PRIMARY KEY, status INT, headers TEXT, body BLOB)',
)
if (mode === 'record') record.run('DELETE FROM answers')
const insert = record.prepare('INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)')
const find = record.prepare<{ status: number; headers: string; body: Uint8Array }, [string]>(
  'SELECT status, headers, body FROM answers WHERE question = ?',
)

let asked = 0
let different = 0
record.run('BEGIN')
await askAll('sample', sample, [...askedOfSample(sample), ...askedOfPayments(sample)])
await askAll('catalog', entries, [...askedOfCatalog(entries), ...askedOfPayments(entries.slice(0, 1_000))])
await askAll('probed', probed, [...askedOfPayments(many(probed)), ...askedOfProbed(probed)], store =>
  probeAll(store, probed),
)
record.run('COMMIT')
console.log(mode === 'record' ? `${asked} answers recorded` : `${asked} answers, ${different} differ`)
process.exit(different > 0 ? 1 : 0)

/** Each in every spelling and with every change. */
function many(entries: readonly Entry[]): Entry[] {
  return Array.from({ length: 17 * 14 }, (_, i) => entries[i % entries.length]!)
}

async function askAll(
  name: string,
  entries: readonly Entry[],
  questions: readonly Question[],
  prepare?: (store: Store) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shirube-answers-'))
  try {
    const file = join(folder, 'directory.db')
    const databaseUrl = `sqlite:${file}`
    {
      await using store = await openStore(databaseUrl, { clock: stillClock })
      for (let i = 0; i < entries.length; i += 1_000) await store.insert(entries.slice(i, i + 1_000))
      await prepare?.(store)
    }
    {
      // Cursors name the history of their store, which is drawn by lot. The first was the second when the answers were recorded.
      using database = new Database(file)
      database.run("UPDATE timelines SET id = printf('%016x', number + 1)")
    }
    const config = readConfig({
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: 'https://directory.example',
      LOG_LEVEL: 'silent',
      PROBE: 'off',
      API_KEYS: KEY,
      RATE_LIMIT: '0',
    })
    await using app = await openApp(config, { clock: stillClock })
    await app.caughtUp
    for (const question of questions) judge(`${name} ${textOf(question)}`, await ask(app.urls[0]!, question))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function ask(url: string, { method = 'GET', path, headers = {}, body }: Question): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: { 'accept-encoding': 'identity', ...headers },
    ...(body !== undefined && { body }),
  })
  const told = HEADERS.flatMap(name => {
    const value = response.headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  return {
    status: response.status,
    headers: withoutChance(told.join('\n')),
    body: withoutChance(await response.text()),
  }
}

/** A form carries a number and a token drawn by lot, and a cursor the history that it belongs to. */
function withoutChance(text: string): string {
  return text
    .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'by lot')
    .replace(/\b(\d+)-[\da-f]{16}\b/g, '$1-by lot')
    .replace(/name="token" value="[\w-]+"/g, 'name="token" value="by lot"')
}

function judge(question: string, answer: Answer): void {
  asked++
  const { status, headers, body } = answer
  if (mode === 'record') {
    insert.run(question, status, headers, Bun.zstdCompressSync(body))
    return
  }
  const kept = find.get(question)
  const before = kept && { ...kept, body: Bun.zstdDecompressSync(kept.body).toString() }
  if (before && before.status === status && before.headers === headers && before.body === body) return
  if (different++ >= MAX_SHOWN) return
  console.log(`\n${question}`)
  if (!before) console.log('  is not in the record')
  else
    for (const part of ['status', 'headers', 'body'] as const)
      showDifference(part, before[part], answer[part])
}

function showDifference(part: string, before: string | number, after: string | number): void {
  if (before === after) return
  const [old, now] = [String(before), String(after)]
  let at = 0
  while (at < old.length && old[at] === now[at]) at++
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 100))
  console.log(`  ${part} before …${around(old)}\n  ${part} now    …${around(now)}`)
}

function textOf({ method = 'GET', path, headers, body }: Question): string {
  return [method, path, headers && JSON.stringify(headers), body].filter(part => part !== undefined).join(' ')
}

/** The sample draws its ids by lot. */
function withFixedIds(sample: readonly Entry[]): Entry[] {
  const newId = createIdSource(bytes => bytes.fill(7))
  return sample.map(entry => ({ ...entry, id: newId(NOW) }))
}
