// The documents can be read: short lines, tables one can take in, and names of files, folders and headings that exist.
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import { readDocument } from './run-document.ts'

const ROOT = join(import.meta.dir, '../..')
const MAX_LINE = 160
const MAX_CELL = 300
const paths = [
  'README.md',
  'README.ja.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...[...new Glob('{docs,src}/**/*.md').scanSync(ROOT)].sort(),
]
const documents = await Promise.all(paths.map(async path => ({ path, text: await readDocument(path) })))

const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '')
const isRow = (line: string) => line.startsWith('|')

/** As GitHub makes the anchor of a heading. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
const anchorsOf = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => toAnchor(heading!))

/** Paths in code spans: `store/rows.ts`, `src/search/`, `bin/shirube.mjs`. */
function filesIn(text: string): string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!)
  return spans.filter(span =>
    /^(?:[a-z][\w-]*\/)+(?:[\w.-]+\.(?:ts|js|mjs|md|wat|css|json|sh|py|bin|txt))?$/.test(span),
  )
}

describe.each(documents)('$path', ({ path, text }) => {
  const lines = withoutCode(text).split('\n')

  test(`has no line over ${MAX_LINE} characters outside of tables and code`, () => {
    expect(lines.filter(line => !isRow(line) && line.length > MAX_LINE)).toEqual([])
  })

  test(`has no table cell over ${MAX_CELL} characters`, () => {
    const cells = lines.filter(isRow).flatMap(line => line.split(/(?<!\\)\|/))
    expect(cells.filter(cell => cell.trim().length > MAX_CELL)).toEqual([])
  })

  test('names only files and folders that exist', () => {
    const folders = [ROOT, join(ROOT, 'src'), join(ROOT, dirname(path))]
    const missing = filesIn(withoutCode(text)).filter(
      file => !folders.some(folder => existsSync(join(folder, file))),
    )
    expect(missing).toEqual([])
  })

  test('links only to headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
    const missing = links.filter(([, file, anchor]) => {
      const target = file === '' ? path : join(dirname(path), file!)
      const found = documents.find(document => document.path === target)
      return !(found && anchorsOf(withoutCode(found.text)).includes(anchor!))
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })
})
