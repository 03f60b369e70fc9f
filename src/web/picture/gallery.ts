// Keeps pictures that were drawn lately, and draws no more than so many a minute.
import type { Clock } from '../../runtime/clock.ts'
import { drawPicture, type Said } from './draw.ts'

/** Of 20 KB each. */
const MAX_KEPT = 128
/** One takes 30 ms of processor time. Whoever asks beyond this, for whichever service, is led to the picture of the house. */
export const MAX_DRAWN_A_MINUTE = 60
const MINUTE_MS = 60_000

/** @returns the picture of the house, always, and that of a service, undefined where too many were drawn */
export function createGallery(clock: Clock) {
  const kept = new Map<string, Uint8Array>()
  let minute = -1
  let drawn = 0

  function find(said: Said): Uint8Array | undefined {
    const key = JSON.stringify(said)
    const known = kept.get(key)
    if (!known) return undefined
    // Moved to the end: the one that nobody asked for longest goes first.
    kept.delete(key)
    kept.set(key, known)
    return known
  }

  function draw(said: Said): Uint8Array {
    const bytes = drawPicture(said)
    kept.set(JSON.stringify(said), bytes)
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break
      kept.delete(oldest)
    }
    return bytes
  }

  function mayDraw(): boolean {
    const now = Math.floor(clock.now().getTime() / MINUTE_MS)
    if (now !== minute) drawn = 0
    minute = now
    return ++drawn <= MAX_DRAWN_A_MINUTE
  }

  return {
    home: (said: Said) => find(said) ?? draw(said),
    service: (said: Said) => find(said) ?? (mayDraw() ? draw(said) : undefined),
  }
}
