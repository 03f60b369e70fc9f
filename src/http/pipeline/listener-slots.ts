// How many event streams and waiting requests one caller may have open: each holds a connection for as long as it likes.

import { DirectoryError } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'

/** Takes a place until it is disposed of. @throws DirectoryError `rate_limited` */
export type EnterListener = (caller: string) => Disposable

/** @param most 0: no limit */
export function createListenerSlots(most: number): EnterListener {
  const counts = new Map<string, number>()
  return caller => {
    const count = counts.get(caller) ?? 0
    if (most > 0 && count >= most) throw new DirectoryError('rate_limited', say('streams_open', { most }))
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
