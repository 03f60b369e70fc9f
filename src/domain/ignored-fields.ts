/** Paths of the fields that were sent and are not known, down to one level of nesting. */
export function ignoredFields(body: object, known: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(known).flatMap(([parent, fields]) => {
    const object = parent === '' ? body : (body as Record<string, object>)[parent]
    return Object.keys(object ?? {})
      .filter(field => !fields.includes(field))
      .map(field => (parent === '' ? field : `${parent}.${field}`))
  })
}
