// Polls are frequent after the log was written to, and rare otherwise.
import { type FSWatcher, watch as watchFile } from 'node:fs'
import type { Clock } from '../../runtime/clock.ts'
import type { Seq } from '../store.ts'
import { CommitWatch } from '../watch.ts'

/**
 * Reading the last seq costs 2.5 µs, as much as PRAGMA data_version, and ignores commits that are irrelevant to readers: leases,
 * probes, keys.
 */
const POLL_MS = 20
/** A commit becomes visible after its log is written and flushed, so a write to the log only begins a series of polls. */
const POLLS_AFTER_WRITE = 10
/** Where no write was noticed: a file system may not report those of other machines or containers. */
const IDLE_POLL_MS = 1_000

type WatchOptions = {
  readonly clock: Clock
  readonly lastSeq: () => Promise<Seq>
  /** Called before every poll. */
  readonly onRound: () => void
  /** The path of the log that every process writes to; undefined for a database in memory, which no other process has. */
  readonly log?: string | undefined
}

export class SqliteWatch extends CommitWatch {
  readonly #options: WatchOptions

  constructor(options: WatchOptions) {
    super()
    this.#options = options
  }

  protected async poll(signal: AbortSignal): Promise<void> {
    const { clock, onRound, log } = this.#options
    let quickPolls = POLLS_AFTER_WRITE
    let idle = new AbortController()
    const onWrite = () => {
      quickPolls = POLLS_AFTER_WRITE
      idle.abort()
    }
    // A log that cannot be watched is polled as if it were written to all the time.
    let canIdle = true
    const onFailure = () => {
      canIdle = false
      idle.abort()
    }
    const written = log === undefined ? undefined : watchLog(log, onWrite, onFailure)
    while (!signal.aborted) {
      await this.#check()
      if (quickPolls > 0 || !canIdle) {
        quickPolls--
        await clock.sleep(POLL_MS, signal)
      } else {
        idle = new AbortController()
        await clock.sleep(IDLE_POLL_MS, AbortSignal.any([signal, idle.signal]))
      }
      if (!signal.aborted) onRound()
    }
    written?.close()
  }

  async #check(): Promise<void> {
    try {
      this.reached(await this.#options.lastSeq())
    } catch {
      // Reads and writes report trouble to their callers; the next round polls again.
    }
  }
}

/** @param onFailure where files cannot be watched, for example because the system has no watches left */
function watchLog(path: string, onWrite: () => void, onFailure: () => void): FSWatcher | undefined {
  try {
    return watchFile(path, { persistent: false }, onWrite).on('error', onFailure)
  } catch {
    onFailure()
    return undefined
  }
}
