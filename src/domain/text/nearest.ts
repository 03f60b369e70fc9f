type Candidate = { readonly candidate: string; readonly distance: number }

/** The known name that is nearest to the given one; undefined only if there are no known names. */
export const findNearestName = (name: string, known: readonly string[]): string | undefined =>
  findNearest(name, known)?.candidate

/** The same, where at most a third differs: a name further off was hardly meant. */
export const findSimilarName = (name: string, known: readonly string[]): string | undefined =>
  within(3, name, findNearest(name, known))

/** The same, where at most a fifth differs: for names that may well be meant as they are. */
export const findMistypedName = (name: string, known: readonly string[]): string | undefined =>
  within(5, name, findNearest(name, known))

/** At least one letter may differ. */
function within(part: number, name: string, best: Candidate | undefined): string | undefined {
  if (best === undefined || name === '') return undefined
  const longer = Math.max(name.length, best.candidate.length)
  return best.distance <= Math.max(1, Math.floor(longer / part)) ? best.candidate : undefined
}

/** Above any known name; a query of invented ones must not take longer than a list. */
const MAX_COMPARED = 32

function findNearest(name: string, known: readonly string[]): Candidate | undefined {
  const folded = fold(name.slice(0, MAX_COMPARED))
  let best: Candidate | undefined
  for (const candidate of known) {
    const distance = distanceOf(folded, fold(candidate), best?.distance)
    if (best === undefined || distance < best.distance) best = { candidate, distance }
  }
  return best
}

/** `max_price` and `max-price` are maxPrice in other styles. */
const fold = (name: string): string => name.toLowerCase().replace(/(?<=[a-z])[-_]/g, '')

/** The shortest part inside of a name that says something: many names contain an x. */
const MIN_PART = 3

/** A part of a known name (`sort`, `maxPrice`) is nearer than any typing error. Exact only below `enough`. */
function distanceOf(name: string, candidate: string, enough = Number.POSITIVE_INFINITY): number {
  if (candidate.startsWith(name)) return 0
  if (name.length >= MIN_PART && candidate.includes(name)) return 1
  const atLeast = Math.abs(name.length - candidate.length)
  return atLeast >= enough ? atLeast : editDistance(name, candidate)
}

/** Two neighbours that changed places are one error, as fingers make them. */
function editDistance(a: string, b: string): number {
  const width = b.length + 1
  const rows = new Uint16Array((a.length + 1) * width)
  for (let j = 0; j < width; j++) rows[j] = j
  for (let i = 1; i <= a.length; i++) {
    const row = i * width
    const above = row - width
    const letter = a.charCodeAt(i - 1)
    rows[row] = i
    for (let j = 1; j < width; j++) {
      const other = b.charCodeAt(j - 1)
      let least = rows[above + j - 1]! + (letter === other ? 0 : 1)
      least = Math.min(least, rows[above + j]! + 1, rows[row + j - 1]! + 1)
      const isSwapped = i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other
      rows[row + j] = isSwapped ? Math.min(least, rows[above - width + j - 2]! + 1) : least
    }
  }
  return rows.at(-1)!
}
