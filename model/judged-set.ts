// Judged sets: `X.catalog.jsonl` (id, name, description, category) and `X.queries.jsonl` (query, relevant ids).
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readLines } from './pair.ts'

export type JudgedSet = {
  readonly entries: readonly { readonly text: string }[]
  /** `relevant` holds positions in `entries`. */
  readonly queries: readonly { readonly query: string; readonly relevant: number[] }[]
}

type Item = { id: string; name: string; description?: string; category?: string }
type Query = { query: string; relevant: string[] }

export function readJudgedSet(folder: string, name: string): JudgedSet {
  const items = readLines(join(folder, `${name}.catalog.jsonl`)).map(line => JSON.parse(line) as Item)
  const positions = new Map(items.map((item, i) => [item.id, i]))
  const queries = readLines(join(folder, `${name}.queries.jsonl`)).map(line => JSON.parse(line) as Query)
  return {
    entries: items.map(({ name, description, category }) => ({
      text: [name, description, category].filter(Boolean).join(' . '),
    })),
    queries: queries.map(({ query, relevant }) => ({
      query,
      relevant: relevant.flatMap(id => positions.get(id) ?? []),
    })),
  }
}

export function listJudgedSets(folder: string): string[] {
  return readdirSync(folder)
    .flatMap(file => file.match(/^(.+)\.queries\.jsonl$/)?.[1] ?? [])
    .sort()
}
