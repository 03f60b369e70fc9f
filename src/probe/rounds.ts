// Probes services when they are due, as long as the process runs: new ones within seconds, the others in turn.

import { DirectoryError } from '../domain/errors.ts'
import { isNeverProbed } from '../domain/hosts/endpoint.ts'
import type { Entry } from '../domain/listing/service.ts'
import {
  createProbeCounts,
  MAX_DUE,
  type ProbeMeter,
  type ProbingState,
} from '../domain/standing/standing.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time.ts'
import type { Clock } from '../runtime/clock.ts'
import { createProcessLease } from '../runtime/lease.ts'
import type { LeasedEntry, Store } from '../store/store.ts'
import { createPostponing, HOST_PATIENCE_MS } from './next-probe.ts'
import { HostBusy } from './requests/host-gate.ts'
import type { ServiceMeasurement, ServiceProber } from './service-prober.ts'

export type Rounds = AsyncDisposable & ProbeMeter

type RoundsParts = {
  readonly store: Pick<Store, 'schedule' | 'leases' | 'probes' | 'watch'>
  readonly prober: ServiceProber
  readonly clock: Clock
  /** Reports our own faults and an unavailable store; nothing is thrown. */
  readonly onTrouble?: (message: string, error: unknown) => void
}

/** Longer than the slowest probe including its wait for the host: a lease expires only if it could not be released. */
const PROBE_LEASE_MS = 5 * MINUTE_MS
const OLDEST_AT_ONCE = 64
/** Leased in addition, newest first: a new registration does not wait for a backlog. */
const NEWEST_AT_ONCE = 32
/** Probes in flight that have begun within `SLOW_AFTER_MS`. Slow ones are not among them: many that hang delay nobody else's. */
const MAX_RECENT = 128
const MAX_IN_FLIGHT = 512
const SLOW_AFTER_MS = 5_000
/**
 * A pause between two starts leaves processor time for requests: 20 probes a second, 10,000 in 8 minutes. With a larger
 * backlog 50 a second, 180,000 an hour.
 */
const APART_MS = { usual: 50, behind: 20 }
/** About 5 or 12 probes per commit: every commit blocks other writers until it is on disk, and a long one does too. */
const COMMIT_EVERY_MS = 250
const POLL_MS = 1_000
const TROUBLE_MS = { first: 500, max: 60_000 }
/** The delay after a fault of ours, so that the same service does not trigger it continuously. */
const FAULT_MS = 10 * 60_000

/** What the process that probes counts whenever it renews its lease, and stores there for the others. */
type Counted = Omit<ProbingState, 'by'>
const NOT_COUNTED: Counted = { due: 0, lastHour: createProbeCounts(), lastProbeAt: null }

const isLeftOut = ({ sample, retired, hidden, endpoint }: Entry) =>
  sample || retired !== null || hidden !== undefined || isNeverProbed(endpoint)

const isStoreUnavailable = (error: unknown) =>
  error instanceof DirectoryError && error.code === 'store_unavailable'

/** Any number of processes may open rounds; one at a time probes. */
export function openRounds({ store, prober, clock, onTrouble = () => {} }: RoundsParts): Rounds {
  const { schedule } = store
  const stopping = new AbortController()
  const { signal } = stopping
  const outcomes = createProbeCounts()
  let due = 0
  const prune = createProbePruner(store.probes, clock, onTrouble)
  const postpone = createPostponing(clock)
  const processLease = createProcessLease({
    leases: store.leases,
    name: 'probing',
    clock,
    async writeNote() {
      const now = clock.now()
      due = await schedule.countWaiting(now, MAX_DUE)
      const { byOutcome, newestAt } = await store.probes.count(new Date(now.getTime() - HOUR_MS))
      const counted: Counted = { due, lastHour: byOutcome, lastProbeAt: newestAt }
      return JSON.stringify(counted)
    },
    async onTaken(before) {
      if (before) await schedule.releaseAll(before.holder)
    },
  })
  const { holder } = processLease
  const tasks = new Set<Promise<void>>()
  const recent = new Set<Promise<void>>()
  /** Leased and not recorded yet: a lease may expire, but no service is probed twice at a time. */
  const inProgress = new Set<string>()
  /** Of these, the ones that became due and were leased again: the owner may have moved them. */
  const leasedAgain = new Set<string>()
  let leased: LeasedEntry[] = []
  let commit: Promise<void> | undefined
  let failures = 0
  let wake = Promise.withResolvers<void>()
  const unwatch = store.watch(() => wake.resolve())

  async function run(): Promise<void> {
    while (!signal.aborted) {
      wake = Promise.withResolvers()
      try {
        if (!(await processLease.isOurs())) await giveBack()
        else if (leased.length === 0) await leaseMore()
        failures = 0
      } catch (error) {
        await pause(error)
        continue
      }
      const isFree = recent.size < MAX_RECENT && tasks.size < MAX_IN_FLIGHT
      const next = isFree ? leased.shift() : undefined
      if (next) start(next)
      await (next ? clock.sleep(APART_MS[due < MAX_DUE ? 'usual' : 'behind'], signal) : idle())
    }
  }

  /** Counts before it leases: an empty count blocks no writer. */
  async function leaseMore(): Promise<void> {
    prune()
    while (!signal.aborted) {
      const now = clock.now()
      if ((await schedule.countDue(now, 1)) === 0) break
      const lease = { holder, leaseMs: PROBE_LEASE_MS }
      const newest = await schedule.leaseDue(now, NEWEST_AT_ONCE, lease, 'newest')
      const oldest = newest.length < NEWEST_AT_ONCE ? [] : await schedule.leaseDue(now, OLDEST_AT_ONCE, lease)
      const {
        probed = [],
        never = [],
        running = [],
      } = Object.groupBy([...newest, ...oldest], ({ entry }) =>
        inProgress.has(entry.id) ? 'running' : isLeftOut(entry) ? 'never' : 'probed',
      )
      for (const { entry } of running) leasedAgain.add(entry.id)
      for (const { entry } of probed) inProgress.add(entry.id)
      leased = probed
      await Promise.all(never.map(({ entry }) => schedule.release(entry.id, holder, null)))
      if (probed.length > 0) return
    }
  }

  /** Releases leased services that were not started, for the process that holds the lease. */
  async function giveBack(): Promise<void> {
    await Promise.all(leased.map(({ entry }) => schedule.release(entry.id, holder, clock.now())))
    for (const { entry } of leased) inProgress.delete(entry.id)
    leased = []
  }

  async function idle(): Promise<void> {
    const enough = new AbortController()
    await Promise.race([wake.promise, clock.sleep(POLL_MS, AbortSignal.any([signal, enough.signal]))])
    enough.abort()
  }

  /** Waits for an unavailable store. */
  async function pause(error: unknown): Promise<void> {
    onTrouble(isStoreUnavailable(error) ? 'probing waits for the store' : 'probing failed', error)
    await clock.sleep(Math.min(TROUBLE_MS.first * 2 ** failures++, TROUBLE_MS.max), signal)
  }

  function start(stored: LeasedEntry): void {
    const { id } = stored.entry
    const over = new AbortController()
    const task = probeOne(stored)
      .catch(async error => {
        if (!signal.aborted) onTrouble('a probe failed', error)
        // The service is not at fault: its lease is released, immediately if the process is ending.
        const dueAtMs = clock.now().getTime() + (signal.aborted || isStoreUnavailable(error) ? 0 : FAULT_MS)
        await schedule.release(id, holder, new Date(dueAtMs))
      })
      // A lease that cannot be released expires.
      .catch(() => {})
      .finally(() => {
        tasks.delete(task)
        over.abort()
        inProgress.delete(id)
        // If the probe was recorded, this releases nothing and changes no date.
        if (leasedAgain.delete(id)) schedule.release(id, holder, clock.now()).catch(() => {})
      })
    tasks.add(task)
    recent.add(task)
    clock.sleep(SLOW_AFTER_MS, over.signal).then(() => {
      recent.delete(task)
      wake.resolve()
    })
  }

  async function probeOne(stored: LeasedEntry): Promise<void> {
    const measured = await probeUnlessBusy(stored)
    if (tasks.size > 1) await nextCommit()
    if (measured instanceof HostBusy)
      await schedule.release(stored.entry.id, holder, postpone(measured, stored.entry))
    else if (await prober.record(measured, holder)) outcomes[measured.probe.outcome]++
    // The listing has changed since: probe again, unless another process has the lease.
    else await schedule.release(stored.entry.id, holder, clock.now())
  }

  async function probeUnlessBusy(stored: LeasedEntry): Promise<ServiceMeasurement | HostBusy> {
    try {
      // Its owner may just have published a proof. One that is there is looked for once a day, so that nobody loses it by asking.
      const readsProof = stored.isRequested === true && stored.entry.proof === undefined
      return await prober.probe(stored, { patienceMs: HOST_PATIENCE_MS, signal }, { readsProof })
    } catch (error) {
      if (error instanceof HostBusy) return error
      throw error
    }
  }

  /** Probes that finish at about the same time share a commit. */
  function nextCommit(): Promise<void> {
    commit ??= clock.sleep(COMMIT_EVERY_MS, signal).finally(() => {
      commit = undefined
    })
    return commit
  }

  const running = run()
  return {
    outcomes,
    state() {
      const { by, note } = processLease.lastHolder()
      return { by, ...NOT_COUNTED, ...(note ? (JSON.parse(note) as Counted) : {}) }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('The rounds have ended.'))
      unwatch()
      wake.resolve()
      await running
      await Promise.all([...tasks])
      // Without the store, both leases expire.
      await Promise.allSettled([schedule.releaseAll(holder), processLease.release()])
    },
  }
}

// Single probes are stored for 30 days, daily totals for a year.

const EVERY_MS = HOUR_MS
const RETENTION_MS = { probes: 30 * DAY_MS, days: 365 * DAY_MS }

/** Returns a function that deletes old probes in the background, at most once an hour. */
function createProbePruner(
  probes: Pick<Store['probes'], 'prune'>,
  clock: Clock,
  onTrouble: (message: string, error: unknown) => void,
): () => void {
  let lastAtMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = clock.now().getTime()
    if (Math.abs(nowMs - lastAtMs) < EVERY_MS) return
    lastAtMs = nowMs
    const before = {
      probes: new Date(nowMs - RETENTION_MS.probes),
      days: new Date(nowMs - RETENTION_MS.days),
    }
    probes.prune(before).catch(error => onTrouble('old probes could not be deleted', error))
  }
}
