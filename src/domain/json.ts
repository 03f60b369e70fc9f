// JSON: objects of unknown content, encoded records and merge patches.
export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Empty if the value is not an object. */
export const asRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {})

/** In characters and in steps. */
const MAX_REFERENCE = { length: 1_024, steps: 16 }

/** The place that a reference names within the document, like `#/$defs/City`; undefined for any other reference. */
export function followReference(document: unknown, reference: string): unknown {
  if (!/^#(?:\/|$)/.test(reference) || reference.length > MAX_REFERENCE.length) return undefined
  let place = document
  for (const step of reference.split('/').slice(1, 1 + MAX_REFERENCE.steps)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined
    place = (place as JsonRecord)[name]
  }
  return place
}

// JSON joined from texts and from encoded records.

export type JsonPiece = string | Uint8Array

/** Returns newly allocated memory that is not written to afterwards. */
export const joinJson = (pieces: readonly JsonPiece[]): Uint8Array =>
  Buffer.concat(pieces.map(piece => (typeof piece === 'string' ? Buffer.from(piece) : piece)))

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A value as its JSON bytes, ready to send; decoded only where an interface needs the value. The bytes are immutable. */
export class Encoded<T> {
  constructor(readonly bytes: Uint8Array) {}

  static of<T>(value: T): Encoded<T> {
    return Encoded.ofText(JSON.stringify(value))
  }

  /** @param json the value as JSON */
  static ofText<T>(json: string): Encoded<T> {
    return new Encoded(encoder.encode(json))
  }

  decode(): T {
    return JSON.parse(decoder.decode(this.bytes)) as T
  }
}

// JSON Merge Patch (RFC 7396): named fields are replaced, null removes a field, all others are unchanged.

/** Modifies neither argument. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch
  // A Map, so that a field named __proto__ is a field like any other.
  const merged = new Map(isRecord(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}
