/** The known name that takes the fewest edits from what was written; undefined only where nothing is known. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const folded = name.slice(0, 64).toLowerCase()
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(folded, candidate.toLowerCase())
    if (best === undefined || distance < best.distance) best = { candidate, distance }
  }
  return best?.candidate
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}
