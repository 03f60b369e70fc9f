// What was promised against what each node shows at the end.
type Export = { readonly endpoints: readonly { readonly id: string; readonly name: string }[] }

export type Judgement = {
  /** Promised entries that some node does not show as they were sent. */
  readonly losses: number
  /** Registrations that some node shows more than once. */
  readonly duplicates: number
  /** Whether all nodes show the same, byte for byte. */
  readonly isEqual: boolean
  readonly problems: readonly string[]
}

/**
 * @param promised the name that was sent, by the id that was answered; every registration has a name of its own
 * @param exports of each node, but for the time of the export; undefined where a node gives none
 */
export function judgeExports(
  promised: ReadonlyMap<string, string>,
  exports: readonly (string | undefined)[],
): Judgement {
  const lost = new Set<string>()
  const twice = new Set<string>()
  const problems = exports.flatMap((text, node) => {
    if (text === undefined) return [`node ${node} gives no export`]
    const { endpoints } = JSON.parse(text) as Export
    const nameOf = new Map(endpoints.map(({ id, name }) => [id, name]))
    const missing = [...promised].filter(([id, name]) => nameOf.get(id) !== name)
    const repeated = findRepeated(endpoints.map(({ name }) => name))
    for (const [id] of missing) lost.add(id)
    for (const name of repeated) twice.add(name)
    return [
      ...(missing.length > 0 ? [`node ${node} has lost ${missing.length}: ${missing.slice(0, 3)}`] : []),
      ...(repeated.length > 0 ? [`node ${node} has ${repeated.length} twice: ${repeated.slice(0, 3)}`] : []),
    ]
  })
  const isEqual = exports.every(text => text !== undefined && text === exports[0])
  return { losses: lost.size, duplicates: twice.size, isEqual, problems }
}

function findRepeated(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter(name => seen.size === seen.add(name).size)
}
