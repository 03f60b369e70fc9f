/** Paths of unknown fields in the body, down to one level of nesting. */
export function ignoredFields(body: object, known: Readonly<Record<string, readonly string[]>>): string[] {
  const ignored: string[] = []
  for (const parent in known) {
    const object = parent === '' ? body : (body as Record<string, object>)[parent]
    for (const field of Object.keys(object ?? {}))
      if (!known[parent]!.includes(field)) ignored.push(parent === '' ? field : `${parent}.${field}`)
  }
  return ignored
}
