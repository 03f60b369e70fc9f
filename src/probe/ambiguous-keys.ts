// Keys of terms that not every client reads alike. Of a key that is written twice most parsers take the last, some the first; those
// of Go take `PAYTO` for `payTo`. Terms that say one thing to us and another to a client are not readable.

const ROOT = ['x402Version', 'accepts']
const WAY = ['scheme', 'network', 'amount', 'maxAmountRequired', 'asset', 'payTo']

/** As Go folds them: `ſ` is an s, and the sign for kelvin a k. */
const fold = (key: string): string => key.toUpperCase().toLowerCase()

const toNames = (names: readonly string[]) => new Map(names.map(name => [fold(name), name]))
const NAMES = { root: toNames(ROOT), requirements: toNames(WAY) } as const

/** A string, or a character that opens, closes or divides. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

type Level = {
  readonly isObject: boolean
  /** Whose keys these are; absent where nothing depends on them. */
  readonly of?: keyof typeof NAMES
  readonly keys: Set<string>
  /** The newest key, or nothing while a value is read. */
  key?: string
}

/** @param json that has been parsed without an error @returns the first such key of the terms or of a way */
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
