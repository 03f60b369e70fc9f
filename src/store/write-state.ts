// Whether what is written is kept. It is known from the writes themselves, and tried when somebody asks while there is doubt:
// a directory that nobody writes to must neither seem well on a full disk nor seem ill after there is room again.

import { DirectoryError } from '../domain/errors.ts'
import type { Message } from '../messages/message.ts'
import { tellInEnglish } from '../messages/tell-in-english.ts'
import type { Clock } from '../runtime/clock.ts'
import type { LeaseTerms } from './leases.ts'

/** Whoever asks more often gets the answer of the last trial. */
const TRIAL_EVERY_MS = 1_000
/** Nobody who asks is kept waiting longer by a store that does not answer. */
const PATIENCE_MS = 500

export type WriteStateOptions = {
  readonly clock: Clock
  /** Writes something that changes nothing for anybody. */
  readonly tryWrite: () => Promise<unknown>
  /** Trouble that can be seen without writing. */
  readonly look?: () => Message | undefined
  /** Whether writes may soon fail, so that asking is reason enough to try one. */
  readonly isTight?: () => boolean
  /** Told when it changes; undefined: writes are kept again. */
  readonly onChange?: ((sentence: string | undefined) => void) | undefined
}

/** More than a registration takes in the log of the engine: a disk with room for less is as good as full. */
const TRIAL_LENGTH = 64 * 1024

/** The lease that is taken to see whether a write is kept; it is over when it begins. */
export function writeTrial(clock: Clock): [name: string, terms: LeaseTerms] {
  const now = clock.now()
  // Pages that stay as they are would not be written.
  const note = String(now.getTime() % 10).repeat(TRIAL_LENGTH)
  return ['trial of writing', { holder: 'whoever asks', now, leaseMs: 0, note }]
}

const toSentence = (message: Message | undefined): string | undefined => message && tellInEnglish(message)

export class WriteState {
  readonly #options: WriteStateOptions
  #failed: Message | undefined
  #told: string | undefined
  #triedAtMs = Number.NEGATIVE_INFINITY
  #trial: Promise<unknown> | undefined

  constructor(options: WriteStateOptions) {
    this.#options = options
  }

  /** @throws DirectoryError `store_unavailable` where a write would not be kept */
  assertKept(): void {
    const seen = this.see()
    if (seen !== undefined) throw new DirectoryError('store_unavailable', seen)
  }

  /** After a write; its error, if it has failed for trouble of the store that lasts. */
  wrote(error?: DirectoryError): void {
    this.#failed = error?.said
    this.#tell(this.#failed)
  }

  /** What can be seen without writing, now. */
  see(): Message | undefined {
    const seen = this.#options.look?.()
    this.#tell(seen ?? this.#failed)
    return seen
  }

  /** Why nothing is kept right now, as far as is known; undefined: it is. */
  async trouble(): Promise<string | undefined> {
    if (this.see() === undefined && (this.#failed !== undefined || this.#options.isTight?.()))
      await this.#try()
    return toSentence(this.see() ?? this.#failed)
  }

  async #try(): Promise<void> {
    const { clock, tryWrite } = this.#options
    const nowMs = clock.now().getTime()
    // A clock that is set back must not end the trials.
    if (!this.#trial && Math.abs(nowMs - this.#triedAtMs) >= TRIAL_EVERY_MS) {
      this.#triedAtMs = nowMs
      // What comes of it is told by `wrote`.
      this.#trial = tryWrite()
        .catch(() => {})
        .finally(() => {
          this.#trial = undefined
        })
    }
    const inTime = new AbortController()
    await Promise.race([this.#trial, clock.sleep(PATIENCE_MS, inTime.signal)])
    inTime.abort()
  }

  #tell(message: Message | undefined): void {
    const sentence = toSentence(message)
    if (sentence === this.#told) return
    this.#told = sentence
    this.#options.onChange?.(sentence)
  }
}
