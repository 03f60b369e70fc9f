// Writes the whole catalog to a file once a day and retains the newest files: open data that a web server can publish.
import { createWriteStream, type Stats } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { toNdjson } from '../domain/formats/ndjson.ts'
import type { Encoded } from '../domain/json/encoded.ts'
import type { Service } from '../domain/listing/service.ts'
import { dayOf } from '../domain/standing/probes.ts'
import type { Clock } from '../runtime/clock.ts'
import { tryLock } from '../runtime/file-lock.ts'
import { packZstd } from '../runtime/zstd.ts'

/** The newest file of the folder. */
export type ExportFile = { readonly file: string; readonly at: string; readonly bytes: number }

export interface NightlyExport extends AsyncDisposable {
  /** The last export that this process wrote or found. */
  readonly last: ExportFile | undefined
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NAME = /^catalog-\d{4}-\d\d-\d\d\.ndjson\.zst$/

const nameOf = (day: string): string => `catalog-${day}.ndjson.zst`

/** Time until the next check: right after midnight UTC, and at least every hour, because clocks are adjusted. */
const untilNext = (now: Date): number => Math.min(HOUR_MS, DAY_MS - (now.getTime() % DAY_MS))

export function openNightlyExport({
  folder,
  keep,
  services,
  after,
  clock,
  onTrouble,
}: {
  readonly folder: string
  /** Number of files retained. */
  readonly keep: number
  /** A consistent view of all services, however slowly it is read. */
  readonly services: () => Iterable<Encoded<Service>>
  /** Resolves when the catalog is complete. */
  readonly after: Promise<unknown>
  readonly clock: Clock
  readonly onTrouble: (message: string, error: unknown) => void
}): NightlyExport {
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
  let last: ExportFile | undefined
  let isComplete = false

  async function write(day: string): Promise<void> {
    await mkdir(folder, { recursive: true })
    const path = join(folder, nameOf(day))
    const existing = await statOf(path)
    if (existing) return note(day, existing)
    // One of several processes on a machine writes it; the others find it an hour later.
    using lock = tryLock(join(folder, '.lock'))
    if (!lock) return
    const unfinished = `${path}.part`
    try {
      await pipeline(packZstd(yieldBetween(toNdjson(services()))), createWriteStream(unfinished), { signal })
      await syncFile(unfinished)
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    note(day, await stat(path))
    await dropOld()
  }

  function note(day: string, { mtime, size }: Stats): void {
    last = { file: nameOf(day), at: mtime.toISOString(), bytes: size }
  }

  /** Foreign files in the folder stay. */
  async function dropOld(): Promise<void> {
    const names = (await readdir(folder)).filter(name => NAME.test(name)).sort()
    for (const name of names.slice(0, -keep)) await rm(join(folder, name), { force: true })
  }

  async function run(): Promise<void> {
    await Promise.race([
      after.then(
        () => {
          isComplete = true
        },
        () => {},
      ),
      stopped,
    ])
    while (isComplete && !signal.aborted) {
      const day = dayOf(clock.now().toISOString())
      await write(day).catch(error => {
        if (!signal.aborted) onTrouble('the nightly export could not be written, and is tried again', error)
      })
      // If writing lasted past midnight, the new day still needs its file.
      if (dayOf(clock.now().toISOString()) === day) await clock.sleep(untilNext(clock.now()), signal)
    }
  }

  const running = run()
  return {
    get last() {
      return last
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}

async function* yieldBetween(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    yield piece
    // Lets the event loop serve requests between two pieces.
    await new Promise(resolve => setImmediate(resolve))
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

const statOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined)
