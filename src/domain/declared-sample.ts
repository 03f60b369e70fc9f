// Whether a sample of a request is what the service itself gives as an example, or was made up from its schema here.

type Schema = Readonly<Record<string, unknown>>

const MAX_DEPTH = 8
const SHOWN = ['const', 'example', 'examples', 'default', 'enum']
/** Where a value is put into the path. */
const PLACEHOLDER = /[{<]|%7B|\/:[A-Za-z_]/i

/** Returns whether nothing of the sample was made up: a made-up id may be one that nobody has. */
export const isDeclaredSample = ({
  url,
  input,
}: {
  readonly url: string
  readonly input?: unknown
}): boolean => (input === undefined ? !PLACEHOLDER.test(url) : isDeclared(input, 0))

/** What is referred to or joined from parts is taken for made up: that excuses the service. */
function isDeclared(schema: unknown, depth: number): boolean {
  if (!isSchema(schema) || depth > MAX_DEPTH) return false
  if (SHOWN.some(name => schema[name] !== undefined)) return true
  if (['$ref', 'allOf', 'anyOf', 'oneOf'].some(name => schema[name] !== undefined)) return false
  const { type, properties, required, items } = schema
  if (type === 'boolean' || type === 'null') return true
  if (type === 'array') return isDeclared(items, depth + 1)
  if (type !== 'object' && !isSchema(properties)) return false
  const names = Array.isArray(required) ? required : []
  return names.every(
    name =>
      typeof name === 'string' &&
      isSchema(properties) &&
      Object.hasOwn(properties, name) &&
      isDeclared(properties[name], depth + 1),
  )
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
