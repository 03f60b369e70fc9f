// JSON objects of unknown content.

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Empty if the value is not an object. */
export const asRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {})
