// Whether all of a sample request was declared.
import { isRecord } from 'shirube/domain/json.ts'

/** Nested schemas that are followed. */
const MAX_DEPTH = 8
const EXAMPLE_KEYWORDS = ['const', 'example', 'examples', 'default', 'enum']
/** A placeholder in the path. */
const TEMPLATE_MARK = /[{<]|%7B|\/:[A-Za-z_]/i

/** Returns whether no value of the sample was made up: a made-up id may not exist at the service. */
export const isDeclaredSample = ({
  url,
  input,
}: {
  readonly url: string
  readonly input?: unknown
}): boolean => (input === undefined ? !TEMPLATE_MARK.test(url) : isDeclared(input, 0))

/** References and combined schemas count as made up, in favor of the service. */
function isDeclared(schema: unknown, depth: number): boolean {
  if (!isRecord(schema) || depth > MAX_DEPTH) return false
  if (EXAMPLE_KEYWORDS.some(name => schema[name] !== undefined)) return true
  if (['$ref', 'allOf', 'anyOf', 'oneOf'].some(name => schema[name] !== undefined)) return false
  const { type, properties, required, items } = schema
  if (type === 'boolean' || type === 'null') return true
  if (type === 'array') return isDeclared(items, depth + 1)
  if (type !== 'object' && !isRecord(properties)) return false
  const names = Array.isArray(required) ? required : []
  return names.every(
    name =>
      typeof name === 'string' &&
      isRecord(properties) &&
      Object.hasOwn(properties, name) &&
      isDeclared(properties[name], depth + 1),
  )
}
