// The share of a core that a thread gets under contention.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** On Linux every thread has its own priority. Elsewhere nothing is changed. */
export function yieldToOtherThreads(niceness: number): void {
  try {
    const [, thread] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? []
    if (thread !== undefined) setPriority(Number(thread), niceness)
  } catch {
    // If the system refuses, the priority is unchanged.
  }
}
