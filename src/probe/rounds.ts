// Probes what is due, for as long as the process lives: new services within seconds, the others in their turn.
import type { Clock } from '../clock.ts'
import { endpointHost, isNeverProbed } from '../domain/endpoint.ts'
import { DirectoryError } from '../domain/errors.ts'
import { PROBE_OUTCOMES, type ProbeMeter, type ProbeOutcome } from '../domain/probes.ts'
import type { Entry } from '../domain/service.ts'
import type { Kept, Store } from '../store/store.ts'
import type { HostGate } from './host-gate.ts'
import type { ServiceProber } from './probe-service.ts'

export type Rounds = AsyncDisposable & ProbeMeter

export type RoundsParts = {
  readonly store: Pick<Store, 'schedule' | 'probes' | 'watch'>
  readonly prober: ServiceProber
  readonly gate: HostGate
  readonly clock: Clock
  /** A fault of ours, or the store away: told, never thrown. */
  readonly onTrouble?: (message: string, error: unknown) => void
}

/** Longer than the slowest probe with its wait for the host: a lease ends by itself only where its process died. */
const LEASE_MS = 5 * 60_000
const OLDEST_AT_ONCE = 160
/** Besides these the newest are taken: whoever registers is not kept waiting by a backlog. */
const NEWEST_AT_ONCE = 32
const MAX_IN_FLIGHT = 128
/** A pause between two starts leaves the processor to the requests: at most 50 probes a second, 180,000 an hour. */
const APART_MS = 20
const COMMIT_EVERY_MS = 1_000
const POLL_MS = 1_000
/** Who would wait longer than this for a host gives the place to others and comes back. */
const HOST_PATIENCE_MS = 5_000
const MAX_BACKLOG = 10_000
const TROUBLE_MS = { first: 500, most: 60_000 }
/** After a fault of ours, so that the same service does not bring it up again and again. */
const FAULT_MS = 10 * 60_000
const PRUNE_EVERY_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000
const KEPT_MS = { probes: 30 * DAY_MS, days: 365 * DAY_MS }

const isNeverAsked = ({ sample, retired, endpoint }: Entry) =>
  sample || retired !== null || isNeverProbed(endpoint)

const isAway = (error: unknown) => error instanceof DirectoryError && error.code === 'store_unavailable'

export function openRounds({ store, prober, gate, clock, onTrouble = () => {} }: RoundsParts): Rounds {
  const stopping = new AbortController()
  const { signal } = stopping
  const outcomes = Object.fromEntries(PROBE_OUTCOMES.map(outcome => [outcome, 0])) as Record<
    ProbeOutcome,
    number
  >
  const tasks = new Set<Promise<void>>()
  const postponed = new Map<string, number>()
  let claimed: Kept[] = []
  let commit: Promise<void> | undefined
  let failures = 0
  let prunedAtMs = Number.NEGATIVE_INFINITY
  let wake = Promise.withResolvers<void>()
  const unwatch = store.watch(() => wake.resolve())

  async function run(): Promise<void> {
    while (!signal.aborted) {
      wake = Promise.withResolvers()
      try {
        if (claimed.length === 0) claimed = await claim()
        failures = 0
        prune()
      } catch (error) {
        await pause(error)
        continue
      }
      const next = tasks.size < MAX_IN_FLIGHT ? claimed.shift() : undefined
      if (next) start(next)
      await (next ? clock.sleep(APART_MS, signal) : idle())
    }
  }

  /** Looks before it takes: an empty look disturbs no writer. */
  async function claim(): Promise<Kept[]> {
    while (!signal.aborted) {
      const now = clock.now()
      if ((await store.schedule.countDue(now, 1)) === 0) break
      const newest = await store.schedule.claimDue(now, NEWEST_AT_ONCE, LEASE_MS, 'newest')
      const oldest =
        newest.length < NEWEST_AT_ONCE ? [] : await store.schedule.claimDue(now, OLDEST_AT_ONCE, LEASE_MS)
      const { due = [], never = [] } = Object.groupBy([...newest, ...oldest], ({ entry }) =>
        isNeverAsked(entry) ? 'never' : 'due',
      )
      await Promise.all(never.map(({ entry }) => store.schedule.set(entry.id, null)))
      if (due.length > 0) return due
    }
    return []
  }

  async function idle(): Promise<void> {
    const enough = new AbortController()
    await Promise.race([wake.promise, clock.sleep(POLL_MS, AbortSignal.any([signal, enough.signal]))])
    enough.abort()
  }

  /** A store that is away comes back; the rounds wait for it. */
  async function pause(error: unknown): Promise<void> {
    onTrouble(isAway(error) ? 'probing waits for the store' : 'probing failed', error)
    await clock.sleep(Math.min(TROUBLE_MS.first * 2 ** failures++, TROUBLE_MS.most), signal)
  }

  function start(kept: Kept): void {
    const task = probeOne(kept)
      .catch(async error => {
        if (!signal.aborted) onTrouble('a probe failed', error)
        // The service is not to blame: its lease is given back, at once where the process ends.
        const dueAtMs = clock.now().getTime() + (signal.aborted || isAway(error) ? 0 : FAULT_MS)
        await store.schedule.set(kept.entry.id, new Date(dueAtMs))
      })
      // A lease that cannot be given back ends by itself.
      .catch(() => {})
      .finally(() => {
        tasks.delete(task)
        wake.resolve()
      })
    tasks.add(task)
  }

  async function probeOne(kept: Kept): Promise<void> {
    const { entry } = kept
    const host = endpointHost(entry.endpoint)
    if (gate.waitMs(host) > HOST_PATIENCE_MS) {
      await nextCommit()
      return store.schedule.set(entry.id, postpone(host))
    }
    const measured = await prober.measure(kept, signal)
    if (tasks.size > 1) await nextCommit()
    await prober.settle(measured)
    outcomes[measured.probe.outcome]++
  }

  /** What is settled at one moment shares a commit, and a commit holds up every request until the disk has it. */
  function nextCommit(): Promise<void> {
    commit ??= clock.sleep(COMMIT_EVERY_MS, signal).finally(() => {
      commit = undefined
    })
    return commit
  }

  /** Queues up behind the others that were sent away, so that a host with thousands of services is not claimed again and again. */
  function postpone(host: string): Date {
    const nowMs = clock.now().getTime()
    if (postponed.size >= MAX_BACKLOG) postponed.clear()
    const atMs = Math.max(postponed.get(host) ?? 0, nowMs + HOST_PATIENCE_MS) + 1_000
    postponed.set(host, atMs)
    return new Date(atMs)
  }

  /** Every process may do it: what is forgotten twice is forgotten. */
  function prune(): void {
    const nowMs = clock.now().getTime()
    if (nowMs - prunedAtMs < PRUNE_EVERY_MS) return
    prunedAtMs = nowMs
    const before = { probes: new Date(nowMs - KEPT_MS.probes), days: new Date(nowMs - KEPT_MS.days) }
    store.probes.prune(before).catch(error => onTrouble('old probes could not be forgotten', error))
  }

  const running = run()
  return {
    outcomes,
    backlog: () => store.schedule.countDue(clock.now(), MAX_BACKLOG),
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('The rounds have ended.'))
      unwatch()
      wake.resolve()
      await running
      await Promise.all([...tasks])
      const now = clock.now()
      await Promise.allSettled(claimed.map(({ entry }) => store.schedule.set(entry.id, now)))
    },
  }
}
