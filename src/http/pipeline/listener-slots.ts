// Limits open event streams and long polls per caller: each holds a connection for long.

import { DirectoryError } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'

/** Takes a slot until disposed. @throws DirectoryError `rate_limited` */
export type EnterListener = (caller: string) => Disposable

/** @param max 0: no limit */
export function createListenerSlots(max: number): EnterListener {
  const counts = new Map<string, number>()
  return caller => {
    const count = counts.get(caller) ?? 0
    if (max > 0 && count >= max) throw new DirectoryError('rate_limited', say('streams_open', { most: max }))
    counts.set(caller, count + 1)
    let isOpen = true
    return {
      [Symbol.dispose]() {
        if (!isOpen) return
        isOpen = false
        const left = counts.get(caller)! - 1
        if (left === 0) counts.delete(caller)
        else counts.set(caller, left)
      },
    }
  }
}
