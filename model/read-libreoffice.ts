// LibreOffice's help pages, whose paragraphs carry the same id in every language, and the texts of its screens.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pair, PairSources } from './pair.ts'

const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

function readParagraphs(path: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const match of readFileSync(path, 'utf8').matchAll(
    /<(p|h\d)[^>]* id="([^"]+)"[^>]*>([\s\S]*?)<\/\1>/g,
  )) {
    const text = match[3]!
      .replace(/<[^>]+>/g, ' ')
      .replace(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? ' ')
      .replace(/\s+/g, ' ')
      .trim()
    found.set(match[2]!, text)
  }
  return found
}

function readHelp(folder: string): Pair[] {
  const pages = readdirSync(join(folder, 'ja'), { recursive: true, encoding: 'utf8' }).filter(p =>
    p.endsWith('.html'),
  )
  const seen = new Set<string>()
  const pairs: Pair[] = []
  for (const page of pages.sort()) {
    const english = readParagraphs(join(folder, 'en-US', page))
    for (const [id, a] of readParagraphs(join(folder, 'ja', page))) {
      const b = english.get(id)
      if (b === undefined || !JAPANESE.test(a) || seen.has(a)) continue
      seen.add(a)
      pairs.push({ a: a.slice(0, 300), b: b.slice(0, 600) })
    }
  }
  return pairs
}

/** The strings of a compiled gettext catalog (little endian), context and accelerator marks removed. */
function readMessages(path: string): Pair[] {
  const bytes = readFileSync(path)
  const count = bytes.readUInt32LE(8)
  const textAt = (table: number, i: number) => {
    const length = bytes.readUInt32LE(table + 8 * i)
    const start = bytes.readUInt32LE(table + 8 * i + 4)
    return bytes.toString('utf8', start, start + length).split('\0')[0]!
  }
  const clean = (text: string) => text.slice(text.indexOf('\x04') + 1).replace(/[_~]|\([A-Z]\)|<[^>]*>/g, '')
  const pairs: Pair[] = []
  for (let i = 0; i < count; i++) {
    const a = clean(textAt(bytes.readUInt32LE(16), i))
    const b = clean(textAt(bytes.readUInt32LE(12), i))
    if (b !== '' && JAPANESE.test(a)) pairs.push({ a, b })
  }
  return pairs
}

export function addLibreOfficePairs(folder: string, sources: PairSources): void {
  const root = join(folder, 'libreoffice')
  sources.set('libreoffice_help', readHelp(root))
  const messages = readdirSync(join(root, 'messages')).sort()
  const all = messages.flatMap(file => readMessages(join(root, 'messages', file)))
  sources.set('libreoffice_screens', [...new Map(all.map(pair => [pair.a, pair])).values()])
}
