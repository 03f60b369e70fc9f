// FNV-1a over UTF-16 units, with a final mix so that the low bits can serve as an index into a table.

export const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193

export const addUnit = (hash: number, unit: number): number => Math.imul(hash ^ unit, FNV_PRIME)

/** Returns an unsigned number. */
export const mixed = (hash: number): number => (hash ^ (hash >>> 15)) >>> 0

export function hashUnits(text: string, start = 0, end = text.length): number {
  let hash = FNV_START
  for (let i = start; i < end; i++) hash = addUnit(hash, text.charCodeAt(i))
  return mixed(hash)
}
