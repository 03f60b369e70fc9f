// What a process learns of its store: that entries were written, and whether writes succeed.
import { DirectoryError } from '../domain/errors.ts'
import { type Message, tellInEnglish } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { LeaseTerms } from './leases.ts'
import type { Seq } from './store.ts'

// Notifies listeners of written entries: at once of those of this process; of others when the engine hears of their commit (NOTIFY of
// PostgreSQL), and by polling the last seq.

type WatchOptions = {
  readonly clock: Clock
  readonly pollMs: number
  readonly lastSeq: () => Promise<Seq>
  /** Called before each poll; never fails. */
  readonly onPoll?: () => unknown
  /** Called after a poll that failed. Reads and writes report the trouble to their callers. */
  readonly onFailure?: () => void
}

export class CommitWatch implements AsyncDisposable {
  readonly #options: WatchOptions
  readonly #listeners = new Set<() => void>()
  #polling: AbortController | undefined
  #running: Promise<void> | undefined
  #lastSeen: Seq | undefined
  #closed = false

  constructor(options: WatchOptions) {
    this.#options = options
  }

  watch(onCommit: () => void): () => void {
    // A new listener for every call: the same function may watch twice.
    const listener = () => onCommit()
    if (this.#listeners.size === 0 && !this.#closed) {
      this.#polling = new AbortController()
      this.#running = this.#poll(this.#polling.signal)
    }
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#polling?.abort()
    }
  }

  /** Calls the listeners if the seq is new to this process. */
  noteSeq(seq: Seq): void {
    if (this.#lastSeen !== undefined && seq <= this.#lastSeen) return
    this.#lastSeen = seq
    this.notify()
  }

  notify(): void {
    for (const listener of this.#listeners) queueMicrotask(listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#listeners.clear()
    this.#polling?.abort()
    await this.#running
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { clock, pollMs, lastSeq, onPoll, onFailure } = this.#options
    while (!signal.aborted) {
      await onPoll?.()
      try {
        this.noteSeq(await lastSeq())
      } catch {
        onFailure?.()
      }
      await clock.sleep(pollMs, signal)
    }
  }
}

// Whether writes succeed. The state follows from the writes themselves; after one has failed, a trial write is made when the state is
// read: a directory without writes must not look broken after space was freed.

/** Minimum time between two trial writes; calls in between return the last result. */
const TRIAL_EVERY_MS = 1_000
/** Maximum time that a call waits for a trial write. */
const TIMEOUT_MS = 500

export type WriteStateOptions = {
  readonly clock: Clock
  /** Makes a write without visible effect. */
  readonly tryWrite: () => Promise<unknown>
  /** Detects trouble without writing. */
  readonly detect?: () => Message | undefined
  /** Called on every change; undefined when writes succeed again. */
  readonly onChange?: ((sentence: string | undefined) => void) | undefined
}

/** Bytes, more than a registration takes in the engine's log: a disk with less space counts as full. */
const TRIAL_LENGTH = 64 * 1024

/** The lease that a trial write takes; it ends at once. */
export function writeTrial(clock: Clock): [name: string, terms: LeaseTerms] {
  const now = clock.now()
  // The engine does not write unchanged pages, so the note varies.
  const note = String(now.getTime() % 10).repeat(TRIAL_LENGTH)
  return ['trial of writing', { holder: 'whoever asks', now, leaseMs: 0, note }]
}

const toSentence = (message: Message | undefined): string | undefined => message && tellInEnglish(message)

export class WriteState {
  readonly #options: WriteStateOptions
  #failure: Message | undefined
  #reported: string | undefined
  #triedAtMs = Number.NEGATIVE_INFINITY
  #trial: Promise<unknown> | undefined

  constructor(options: WriteStateOptions) {
    this.#options = options
  }

  /** @throws DirectoryError `store_unavailable` if a write would be lost */
  assertWritable(): void {
    const detected = this.check()
    if (detected !== undefined) throw new DirectoryError('store_unavailable', detected)
  }

  /** Called after a write; `error` is set if it failed for a lasting trouble of the store. */
  wrote(error?: DirectoryError): void {
    this.#failure = error?.said
    this.#report(this.#failure)
  }

  /** Trouble that is detected without writing. */
  check(): Message | undefined {
    const detected = this.#options.detect?.()
    this.#report(detected ?? this.#failure)
    return detected
  }

  /** Why writes currently fail; undefined if no trouble is known. */
  async trouble(): Promise<string | undefined> {
    if (this.check() === undefined && this.#failure !== undefined) await this.#try()
    return toSentence(this.check() ?? this.#failure)
  }

  async #try(): Promise<void> {
    const { clock, tryWrite } = this.#options
    const nowMs = clock.now().getTime()
    // abs: a clock that was set back must not stop the trials.
    if (!this.#trial && Math.abs(nowMs - this.#triedAtMs) >= TRIAL_EVERY_MS) {
      this.#triedAtMs = nowMs
      // `wrote` receives the result.
      this.#trial = tryWrite()
        .catch(() => {})
        .finally(() => {
          this.#trial = undefined
        })
    }
    const deadline = new AbortController()
    await Promise.race([this.#trial, clock.sleep(TIMEOUT_MS, deadline.signal)])
    deadline.abort()
  }

  #report(message: Message | undefined): void {
    const sentence = toSentence(message)
    if (sentence === this.#reported) return
    this.#reported = sentence
    this.#options.onChange?.(sentence)
  }
}
