// Helpers to write JSON Schema for the OpenAPI document.

export type Json = { readonly [name: string]: unknown }

export const schemaRef = (id: string): Json => ({ $ref: `#/components/schemas/${id}` })

export const text = (description?: string): Json => ({ type: 'string', ...(description && { description }) })

export const whole = (description?: string): Json => ({
  type: 'integer',
  minimum: 0,
  ...(description && { description }),
})

export const object = (
  properties: Json,
  { title, required = Object.keys(properties) }: { title: string; required?: string[] },
): Json => ({
  title,
  type: 'object',
  properties,
  required,
})
