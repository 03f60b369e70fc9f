// Reads the path and the query string; the domain interprets them.

import { DirectoryError, invalid, type Problem, toProblem } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'

/** A Map, so that a parameter named __proto__ is safe. */
export type Parameters = ReadonlyMap<string, string>

/** The part after the first `?`, without a fragment. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const end = url.indexOf('#', start)
  return end < 0 ? url.slice(start + 1) : url.slice(start + 1, end)
}

/** The path. The client chooses what precedes it, which may not form a valid URL; without a Host header nothing does. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + '://'.length)
  return start < 0 ? '/' : new URL(`http://any.invalid${url.slice(start)}`).pathname
}

export function readParameters(query: string): { parameters: Parameters; problems: Problem[] } {
  const parameters = new Map<string, string>()
  const problems: Problem[] = []
  // Checked once: most queries contain nothing to decode.
  const read = query.includes('%') || query.includes('+') ? decode : asItIs
  for (let start = 0; start < query.length; ) {
    const next = query.indexOf('&', start)
    const end = next < 0 ? query.length : next
    const equals = query.indexOf('=', start)
    const nameEnd = equals < 0 || equals > end ? end : equals
    const name = read(query.slice(start, nameEnd))
    const value = read(query.slice(nameEnd + 1, end))
    if (end === start) {
      // Empty, as in `&&`.
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

/** As pages and forms expect them, without a prototype: a missing field is undefined, whatever its name. */
export const toFields = (parameters: Parameters): Readonly<Record<string, string>> =>
  Object.assign(Object.create(null), Object.fromEntries(parameters))

/** Parses and validates, and reports the problems of both together. @throws DirectoryError `invalid_request` */
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

/** A change takes no parameters; ignoring one would mislead. */
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
