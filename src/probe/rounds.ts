// Probes what is due, for as long as the process lives: new services within seconds, the others in their turn.

import { endpointHost, isNeverProbed } from '../domain/endpoint.ts'
import { DirectoryError } from '../domain/errors.ts'
import { MAX_DUE, type ProbeMeter } from '../domain/probes.ts'
import type { Entry } from '../domain/service.ts'
import type { Clock } from '../runtime/clock.ts'
import { createProcessLease } from '../runtime/lease.ts'
import type { Kept, Store } from '../store/store.ts'
import { createForgetting } from './forgetting.ts'
import { HostBusy, type HostGate } from './host-gate.ts'
import { createPostponing, HOST_PATIENCE_MS } from './postponing.ts'
import type { MeasuredThere, ServiceProber } from './probe-service.ts'
import { RoundMeter } from './round-meter.ts'

export type Rounds = AsyncDisposable & ProbeMeter

export type RoundsParts = {
  readonly store: Pick<Store, 'schedule' | 'leases' | 'probes' | 'watch'>
  readonly prober: ServiceProber
  readonly gate: Pick<HostGate, 'reserve'>
  readonly clock: Clock
  /** A fault of ours, or the store away: told, never thrown. */
  readonly onTrouble?: (message: string, error: unknown) => void
}

/** Longer than the slowest probe with its wait for the host: a lease ends by itself only where it could not be given back. */
const LEASE_MS = 5 * 60_000
const OLDEST_AT_ONCE = 64
/** Besides these the newest are taken: whoever registers is not kept waiting by a backlog. */
const NEWEST_AT_ONCE = 32
const MAX_IN_FLIGHT = 128
/**
 * A pause between two starts leaves the processor to the requests: 20 probes a second, 10,000 in 8 minutes. With more than
 * that to do it is 50 a second, 180,000 an hour.
 */
const APART_MS = { usual: 50, behind: 20 }
/** About 5 or 12 at a time: a commit holds up every other writer until the disk has it, and so does a long one. */
const COMMIT_EVERY_MS = 250
/** What begins within about a second. Hosts that are taken long before they are asked are closed to everybody else. */
const RESERVED_AT_ONCE = 20
const POLL_MS = 1_000
const TROUBLE_MS = { first: 500, most: 60_000 }
/** After a fault of ours, so that the same service does not bring it up again and again. */
const FAULT_MS = 10 * 60_000

const isNeverAsked = ({ sample, retired, hidden, endpoint }: Entry) =>
  sample || retired !== null || hidden !== undefined || isNeverProbed(endpoint)

const hostOf = ({ entry }: Kept) => endpointHost(entry.endpoint)

const isAway = (error: unknown) => error instanceof DirectoryError && error.code === 'store_unavailable'

/** Any number of processes may open them; one at a time probes. */
export function openRounds({ store, prober, gate, clock, onTrouble = () => {} }: RoundsParts): Rounds {
  const { schedule } = store
  const stopping = new AbortController()
  const { signal } = stopping
  const meter = new RoundMeter(clock)
  const forget = createForgetting(store.probes, clock, onTrouble)
  const postpone = createPostponing(clock)
  const processLease = createProcessLease({
    leases: store.leases,
    name: 'probing',
    clock,
    writeNote: async () => meter.toNote(await schedule.countDue(clock.now(), MAX_DUE)),
    async onTaken(before) {
      if (before) await schedule.releaseAll(before.holder)
      meter.goOnFrom(before?.note)
    },
  })
  const { holder } = processLease
  const tasks = new Set<Promise<void>>()
  /** Claimed and not settled yet: a lease may end, but nothing is asked twice at a time. */
  const inHand = new Set<string>()
  /** Of these, what became due and was claimed once more: its owner may have moved it. */
  const again = new Set<string>()
  let claimed: Kept[] = []
  let commit: Promise<void> | undefined
  let failures = 0
  let wake = Promise.withResolvers<void>()
  const unwatch = store.watch(() => wake.resolve())

  async function run(): Promise<void> {
    while (!signal.aborted) {
      wake = Promise.withResolvers()
      try {
        if (!(await processLease.isOurs())) await giveBack()
        else if (claimed.length === 0) await claim()
        await gate.reserve(claimed.values().take(RESERVED_AT_ONCE).map(hostOf))
        failures = 0
      } catch (error) {
        await pause(error)
        continue
      }
      const next = tasks.size < MAX_IN_FLIGHT ? claimed.shift() : undefined
      if (next) start(next)
      await (next ? clock.sleep(APART_MS[meter.due < MAX_DUE ? 'usual' : 'behind'], signal) : idle())
    }
  }

  /** Looks before it takes: an empty look disturbs no writer. */
  async function claim(): Promise<void> {
    forget()
    while (!signal.aborted) {
      const now = clock.now()
      if ((await schedule.countDue(now, 1)) === 0) break
      const lease = { holder, leaseMs: LEASE_MS }
      const newest = await schedule.claimDue(now, NEWEST_AT_ONCE, lease, 'newest')
      const oldest = newest.length < NEWEST_AT_ONCE ? [] : await schedule.claimDue(now, OLDEST_AT_ONCE, lease)
      const {
        due = [],
        never = [],
        held = [],
      } = Object.groupBy([...newest, ...oldest], ({ entry }) =>
        inHand.has(entry.id) ? 'held' : isNeverAsked(entry) ? 'never' : 'due',
      )
      for (const { entry } of held) again.add(entry.id)
      for (const { entry } of due) inHand.add(entry.id)
      claimed = due
      await Promise.all(never.map(({ entry }) => schedule.release(entry.id, holder, null)))
      if (due.length > 0) return
    }
  }

  /** What was claimed and not begun is for the one that holds the lease. */
  async function giveBack(): Promise<void> {
    await Promise.all(claimed.map(({ entry }) => schedule.release(entry.id, holder, clock.now())))
    for (const { entry } of claimed) inHand.delete(entry.id)
    claimed = []
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
    const { id } = kept.entry
    const task = probeOne(kept)
      .catch(async error => {
        if (!signal.aborted) onTrouble('a probe failed', error)
        // The service is not to blame: its lease is given back, at once where the process ends.
        const dueAtMs = clock.now().getTime() + (signal.aborted || isAway(error) ? 0 : FAULT_MS)
        await schedule.release(id, holder, new Date(dueAtMs))
      })
      // A lease that cannot be given back ends by itself.
      .catch(() => {})
      .finally(() => {
        tasks.delete(task)
        inHand.delete(id)
        wake.resolve()
        // Where it was settled, this ends no lease and moves no date.
        if (again.delete(id)) schedule.release(id, holder, clock.now()).catch(() => {})
      })
    tasks.add(task)
  }

  async function probeOne(kept: Kept): Promise<void> {
    const measured = await measure(kept)
    if (tasks.size > 1) await nextCommit()
    if (measured instanceof HostBusy)
      await schedule.release(kept.entry.id, holder, postpone(measured, kept.entry))
    else if (await prober.record(measured, holder)) meter.add(measured.probe.outcome)
    // Its listing has changed since: it is asked again, unless somebody else has its lease.
    else await schedule.release(kept.entry.id, holder, clock.now())
  }

  async function measure(kept: Kept): Promise<MeasuredThere | HostBusy> {
    try {
      return await prober.measure(kept, { patienceMs: HOST_PATIENCE_MS, signal })
    } catch (error) {
      if (error instanceof HostBusy) return error
      throw error
    }
  }

  /** What is settled at one moment shares a commit. */
  function nextCommit(): Promise<void> {
    commit ??= clock.sleep(COMMIT_EVERY_MS, signal).finally(() => {
      commit = undefined
    })
    return commit
  }

  const running = run()
  return {
    outcomes: meter.outcomes,
    state: () => meter.state(processLease.lastHolder()),
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('The rounds have ended.'))
      unwatch()
      wake.resolve()
      await running
      await Promise.all([...tasks])
      // A store that is away cannot be told; both leases end by themselves.
      await Promise.allSettled([schedule.releaseAll(holder), processLease.release()])
    },
  }
}
