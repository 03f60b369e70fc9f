// Which of many entries represents an endpoint, and which of several similar names carries a warning.
import { expect, test } from 'bun:test'
import { Catalog } from '../../../src/catalog/catalog.ts'
import type { Entry } from '../../../src/domain/listing/service.ts'
import { entry } from '../../entries.ts'

const WALLET = `0x${'ab'.repeat(20)}`
let seq = 0
const apply = (catalog: Catalog, ...entries: readonly Entry[]) =>
  catalog.apply(entries.map(each => ({ seq: ++seq, objectSeq: seq, id: each.id, entry: each })))

test('the claimed entry represents its endpoint, even if thousands of strangers list it before and after', () => {
  const catalog = new Catalog()
  const stranger = () => ({ ...entry({ name: `Copy ${++seq}` }), owner: `key_${seq}` })
  const own: Entry = {
    ...entry(
      { name: 'Original', x402Config: { paymentAddress: WALLET, network: 'base' } },
      { standing: { status: 'verified' } },
    ),
    owner: `eip155:${WALLET}`,
  }
  const copies = Array.from({ length: 5_000 }, stranger)
  apply(catalog, ...copies.slice(0, 2_500), own, ...copies.slice(2_500))
  for (const { id } of [copies[0]!, copies[2_500]!, copies.at(-1)!])
    expect(catalog.backing(id)!.representative).toEqual({ id: own.id, name: 'Original' })
  expect(catalog.backing(own.id)!.representative).toBeNull()

  // It represents the endpoint only while it is verified.
  apply(catalog, { ...own, standing: { ...own.standing, status: 'unverified' } })
  expect(catalog.backing(copies[0]!.id)!.representative).toBeNull()
  apply(catalog, own)
  expect(catalog.backing(copies[0]!.id)!.representative).toEqual({ id: own.id, name: 'Original' })
  catalog.apply([{ seq: ++seq, objectSeq: seq, id: own.id, entry: null }])
  expect(catalog.backing(copies[0]!.id)!.representative).toBeNull()
})

const day = (number: number) => new Date(Date.UTC(2026, 10, number))
const walletOf = (digit: string) => `0x${digit.repeat(40)}`
/** Listed on a day of the month, by the wallet that it pays. */
const listing = (digit: string, since: number, parts: Partial<Entry> = {}): Entry => ({
  ...entry(
    {
      name: 'Dunnart Tides',
      endpoint: `https://host${digit}.example/v1`,
      x402Config: { paymentAddress: walletOf(digit), network: 'base' },
    },
    { now: day(since), standing: { status: 'verified' } },
  ),
  owner: `key_${digit}`,
  ...parts,
})
const claimed = (digit: string) => ({ owner: `eip155:${walletOf(digit)}` })
const proof = { at: day(9).toISOString(), names: 'wallet' } as const

function warned(catalog: Catalog, ...entries: readonly Entry[]): boolean[] {
  apply(catalog, ...entries)
  return entries.map(({ id }) => {
    const { namesake } = catalog.marks(id)!
    const others = catalog.backing(id)!.others.filter(({ shares }) => shares.includes('name'))
    // The short form and the page agree.
    expect(others.some(({ yields }) => !yields)).toBe(namesake)
    return namesake
  })
}

test('a copied name gets the warning on the copy, even if the copy is claimed and has a domain proof', () => {
  const own = listing('1', 1, { ...claimed('1'), proof })
  const copy = listing('2', 2)
  expect(warned(new Catalog(), own, copy)).toEqual([false, true])
  expect(warned(new Catalog(), own, { ...copy, ...claimed('2'), proof })).toEqual([false, true])
  // While the endpoint does not confirm the owner, it may be anybody: then both are to be compared.
  const away = { ...own, standing: { ...own.standing, status: 'inactive' as const } }
  expect(warned(new Catalog(), away, { ...copy, ...claimed('2'), proof })).toEqual([true, true])
  expect(warned(new Catalog(), away, copy)).toEqual([false, true])
})

test('an older unbacked entry and a backed one with the same name both get the warning', () => {
  expect(warned(new Catalog(), listing('1', 1), listing('2', 2, { ...claimed('2'), proof }))).toEqual([
    true,
    true,
  ])
  // Where nothing confirms either, it is the later one that may be a copy.
  expect(warned(new Catalog(), listing('1', 1), listing('2', 2))).toEqual([false, true])
})

test('an old entry that moves has its name only since then', () => {
  const old = listing('1', 1, { ...claimed('1'), proof })
  const own = listing('2', 2, { ...claimed('2'), proof })
  const moved = { ...old, movedAt: day(3).toISOString() }
  expect(warned(new Catalog(), moved, own)).toEqual([true, false])
})

test('the copied entry is listed before entries that yield, however many', () => {
  const decoys = Array.from({ length: 12 }, (_, i) =>
    listing((i + 10).toString(36).slice(-1), 1, { movedAt: day(20).toISOString() }),
  )
  // Listed before the original, and moved to its name after it.
  const thief = listing('9', 1, { ...claimed('9'), proof, movedAt: day(10).toISOString() })
  const original = listing('8', 5, { ...claimed('8'), proof })
  const catalog = new Catalog()
  apply(catalog, ...decoys)
  expect(warned(catalog, thief, original)).toEqual([true, false])
  expect(catalog.backing(thief.id)!.others[0]).toMatchObject({ id: original.id, yields: false })
})

test('at one endpoint the backed entry gets no warning about others, even if they are older', () => {
  const endpoint = 'https://dunnart.example/v1'
  const stranger = listing('1', 1, { endpoint, name: 'Cheap mice' })
  const own = listing('2', 2, { endpoint, ...claimed('2'), proof })
  const catalog = new Catalog()
  apply(catalog, stranger, own)
  expect(catalog.backing(own.id)!.others).toMatchObject([{ id: stranger.id, yields: true }])
  expect(catalog.backing(stranger.id)!).toMatchObject({
    representative: { id: own.id },
    others: [{ id: own.id, yields: false }],
  })
})
