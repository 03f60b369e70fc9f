// How much of a core a thread gets while others want it too.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Linux gives every thread a priority of its own, and knows which one asks. Elsewhere nothing is changed. */
export function yieldToOtherThreads(niceness: number): void {
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? []
    if (thread !== undefined) setPriority(Number(thread), niceness)
  } catch {
    // A system that refuses leaves the thread as it is.
  }
}
