// An LRU cache of drawn pictures, with a limit on how many are drawn per minute.
import type { Clock } from '../../runtime/clock.ts'
import { drawPicture, type PictureText } from './draw.ts'

/** A picture is about 20 KB. */
const MAX_KEPT = 128
/** Drawing takes 30 ms of CPU. Beyond this limit a request is redirected to the picture of the directory. */
export const MAX_DRAWN_A_MINUTE = 60
const MINUTE_MS = 60_000

/** `home` always returns a picture; `service` returns undefined over the limit. */
export function createPictureCache(clock: Clock) {
  const kept = new Map<string, Uint8Array>()
  let minute = -1
  let drawn = 0

  function find(text: PictureText): Uint8Array | undefined {
    const key = JSON.stringify(text)
    const known = kept.get(key)
    if (!known) return undefined
    // Move it to the end: the least recently used one is first.
    kept.delete(key)
    kept.set(key, known)
    return known
  }

  function draw(text: PictureText): Uint8Array {
    const bytes = drawPicture(text)
    kept.set(JSON.stringify(text), bytes)
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
    home: (text: PictureText) => find(text) ?? draw(text),
    service: (text: PictureText) => find(text) ?? (mayDraw() ? draw(text) : undefined),
  }
}
