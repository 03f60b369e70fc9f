// Reads the path and the query string that were asked for: the shape here, the meaning in the domain.

import { DirectoryError, invalid, type Problem, toProblem } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'

/** By name: a parameter called __proto__ is one like any other. */
export type Parameters = ReadonlyMap<string, string>

/** What stands behind the first `?`, without a fragment. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const end = url.indexOf('#', start)
  return end < 0 ? url.slice(start + 1) : url.slice(start + 1, end)
}

/**
 * What stands in front of the query. The caller chooses what stands in front of the path, and it may make no URL; without a
 * Host there is nothing.
 */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + '://'.length)
  return start < 0 ? '/' : new URL(`http://any.invalid${url.slice(start)}`).pathname
}

export function readParameters(query: string): { parameters: Parameters; problems: Problem[] } {
  const parameters = new Map<string, string>()
  const problems: Problem[] = []
  // Asked once for the whole: most queries have nothing to decode.
  const read = query.includes('%') || query.includes('+') ? decode : asItIs
  for (let start = 0; start < query.length; ) {
    const next = query.indexOf('&', start)
    const end = next < 0 ? query.length : next
    const equals = query.indexOf('=', start)
    const nameEnd = equals < 0 || equals > end ? end : equals
    const name = read(query.slice(start, nameEnd))
    const value = read(query.slice(nameEnd + 1, end))
    if (end === start) {
      // Nothing stands between two `&`.
    } else if (name === undefined || value === undefined) {
      const path = name ?? query.slice(start, nameEnd)
      problems.push(toProblem(path, say('not_percent_encoded')))
    } else if (parameters.has(name)) {
      problems.push(toProblem(name, say('parameter_twice')))
    } else {
      parameters.set(name, value)
    }
    start = end + 1
  }
  return { parameters, problems }
}

/** As pages and forms take them: what is not given is undefined, whatever it is called. */
export const toFields = (parameters: Parameters): Readonly<Record<string, string>> =>
  Object.assign(Object.create(null), Object.fromEntries(parameters))

/**
 * Reads and judges, and tells every problem of both at once.
 * @throws DirectoryError `invalid_request`
 */
export function readQuery<Q>(
  query: string,
  parse: (input: Parameters) => Q,
): { parsed: Q; parameters: Parameters } {
  const { parameters, problems } = readParameters(query)
  try {
    const parsed = parse(parameters)
    if (problems.length === 0) return { parsed, parameters }
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code !== 'invalid_request') throw error
    const named = new Set(problems.map(({ path }) => path))
    problems.push(...error.problems.filter(({ path }) => !named.has(path)))
  }
  throw invalid(problems)
}

/** A change takes no parameters; one that is accepted and does nothing would mislead. */
export function refuseParameters(query: string): void {
  if (query === '') return
  const { parameters, problems } = readParameters(query)
  const unknown = [...parameters.keys()].map(path => toProblem(path, say('parameter_for_body')))
  if (unknown.length + problems.length > 0) throw invalid([...unknown, ...problems])
}

const asItIs = (text: string): string | undefined => text

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return undefined
  }
}
