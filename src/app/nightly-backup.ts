// A backup of the database file every night: one file a day, the last seven of which are kept. The command `backup` writes it in a
// process of its own, since the engine copies in one piece and requests would wait for it meanwhile.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ownCommand } from '../package/files.ts'
import type { Clock } from '../runtime/clock.ts'
import { createProcessLease, RENEW_EVERY_MS } from '../runtime/lease.ts'
import type { Log } from '../runtime/log.ts'
import type { Store } from '../store/store.ts'
import { envWith } from './config.ts'

const KEPT = 7
const RETRY_MS = 60 * 60_000
const NAME = /^shirube-\d{4}-\d\d-\d\d\.db$/

type BackupDeps = {
  readonly folder: string
  readonly databaseUrl: string
  readonly store: Pick<Store, 'leases'>
  readonly clock: Clock
  readonly log: Pick<Log, 'info' | 'error'>
}

/** Writes the backup of a day (UTC) soon after it has begun, or at the start where it is missing. */
export function openNightlyBackup({ folder, databaseUrl, store, clock, log }: BackupDeps): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  const lease = createProcessLease({ leases: store.leases, name: 'backup', clock })
  let writing: Promise<void> | undefined
  let nextMs = Number.NEGATIVE_INFINITY

  const fail = (error: unknown) => {
    nextMs = clock.now().getTime() + RETRY_MS
    log.error('the nightly backup failed and is tried again in an hour', { error })
  }

  async function write(file: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Left by a process that was killed: nobody else writes it while the lease is ours.
    const unfinished = `${file}.part`
    await rm(unfinished, { force: true })
    const child = Bun.spawn(ownCommand('backup', unfinished), {
      env: envWith({ DATABASE_URL: databaseUrl }),
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      signal,
    })
    const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
    if (signal.aborted) return
    if (code !== 0) throw new Error(said.trim())
    await rename(unfinished, file)
    const old = (await readdir(folder)).filter(name => NAME.test(name)).sort()
    for (const name of old.slice(0, -KEPT)) await rm(join(folder, name), { force: true })
    log.info('nightly backup written', { file })
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const now = clock.now()
      const file = join(folder, `shirube-${now.toISOString().slice(0, 10)}.db`)
      try {
        // Renewed while a backup is being written, too.
        if ((await lease.isOurs()) && writing === undefined && now.getTime() >= nextMs && !existsSync(file))
          writing = write(file)
            .catch(fail)
            .finally(() => {
              writing = undefined
            })
      } catch (error) {
        fail(error)
      }
      await clock.sleep(RENEW_EVERY_MS, signal)
    }
  }

  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
      await writing
      // If the store is unavailable, the lease expires.
      await Promise.allSettled([lease.release()])
    },
  }
}
