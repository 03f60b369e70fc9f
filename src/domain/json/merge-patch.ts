// JSON Merge Patch (RFC 7396): named fields are replaced, null removes a field, all others are unchanged.
import { isRecord } from './json-record.ts'

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
