// Finds JSON keys that clients read differently. Most parsers take the last of duplicate keys, some the first; Go's parser accepts
// `PAYTO` for `payTo`. Terms that mean one thing to us and another to a client are treated as unreadable.

const ROOT = ['x402Version', 'accepts']
const REQUIREMENTS = ['scheme', 'network', 'amount', 'maxAmountRequired', 'asset', 'payTo']

/** Case folding as in Go: `ſ` folds to s, the Kelvin sign to k. */
const fold = (key: string): string => key.toUpperCase().toLowerCase()

const toNames = (names: readonly string[]) => new Map(names.map(name => [fold(name), name]))
const NAMES = { root: toNames(ROOT), requirements: toNames(REQUIREMENTS) } as const

/** A string, or a structural character. Runs of plain characters are taken at once: a long string would cost a hundred times as much. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g

type Level = {
  readonly isObject: boolean
  /** Which names are checked at this level; absent if none are. */
  readonly of?: keyof typeof NAMES
  readonly keys: Set<string>
  /** The latest key. */
  key?: string
}

/** @param json parses without an error @returns the first ambiguous key of the terms or of payment requirements */
export function ambiguousKey(json: string): string | undefined {
  const levels: Level[] = []
  let isKey = false
  for (const [token] of json.matchAll(TOKEN)) {
    const level = levels.at(-1)
    if (token === '{' || token === '[') {
      levels.push({ isObject: token === '{', keys: new Set(), ...levelOf(token, levels) })
      isKey = token === '{'
    } else if (token === '}' || token === ']') {
      levels.pop()
      isKey = false
    } else if (token === ',') isKey = level?.isObject ?? false
    else if (token === ':') isKey = false
    else if (isKey && level?.of) {
      const key = JSON.parse(token) as string
      const name = NAMES[level.of].get(fold(key))
      if (name !== undefined && (name !== key || level.keys.has(key))) return key
      level.keys.add(key)
      level.key = key
    }
  }
  return undefined
}

function levelOf(token: '{' | '[', levels: readonly Level[]): Pick<Level, 'of'> {
  if (token === '[') return {}
  if (levels.length === 0) return { of: 'root' }
  const isRequirements = levels.length === 2 && levels[0]?.key === 'accepts' && !levels[1]?.isObject
  return isRequirements ? { of: 'requirements' } : {}
}
