// The dates of a schedule row, as SQL expressions for both dialects. A requested probe is an extra one and does not move the probe at
// the randomly drawn time: a provider that could postpone that one, or trigger a new draw, would know when no probe comes.
//   due_at        time of the next probe
//   drawn_at      the drawn time, if it is not due_at
//   wished_at     time of a requested extra probe that has not begun
//   wishes_until  time up to which the extra probes are used up (token bucket)

/** Token bucket per service: at most this many extra probes at once, then one more per interval. */
export const MAX_EXTRA_PROBES = 5
export const EXTRA_PROBE_EVERY_MS = 60_000

/** One probe beyond the bucket is queued. */
const EXTRA_PROBES_AHEAD_MS = (MAX_EXTRA_PROBES + 1) * EXTRA_PROBE_EVERY_MS

/** Column names are qualified: in an upsert the dialects resolve bare names differently. */
const column = (name: string) => `probe_schedule.${name}`
const due = column('due_at')
const drawn = `coalesce(${column('drawn_at')}, ${due})`

/** Names of the scalar minimum and maximum functions; no argument is null here. */
type Dialect = { readonly least: string; readonly greatest: string }

/** End of the used-up time, before a probe at this time; a value further ahead was set by a clock that has been set back. */
const usedUntil = (at: string) =>
  `CASE WHEN ${column('wishes_until')} > ${at} AND ${column('wishes_until')} <= ${at} + ${EXTRA_PROBES_AHEAD_MS}
     THEN ${column('wishes_until')} ELSE ${at} END`
const extraProbeTime = (at: string, { greatest }: Dialect) =>
  `${greatest}(${at}, ${usedUntil(at)} - ${(MAX_EXTRA_PROBES - 1) * EXTRA_PROBE_EVERY_MS})`

const useUp = (at: string, { least }: Dialect) =>
  `wishes_until = ${least}(${usedUntil(at)} + ${EXTRA_PROBE_EVERY_MS}, ${at} + ${EXTRA_PROBES_AHEAD_MS})`

/** Assignments for an extra probe. @param at a parameter */
export const extraProbeTimes = (at: string, dialect: Dialect): string => {
  const wished = extraProbeTime(at, dialect)
  return `due_at = ${dialect.least}(${due}, ${wished}), drawn_at = ${drawn}, wished_at = ${wished},
    ${useUp(at, dialect)}`
}

/**
 * When the extra probe that was requested last may begin, or the first one after a reset: the bucket is then used up for all but the
 * last of its probes.
 */
export const REQUESTED_AT = `coalesce(${column('wished_at')}, ${column('wishes_until')} - ${MAX_EXTRA_PROBES * EXTRA_PROBE_EVERY_MS})`

/** Assignments for the first probe after a reset. @param at a parameter */
export const resetTimes = (at: string, dialect: Dialect): string =>
  `due_at = ${extraProbeTime(at, dialect)}, drawn_at = NULL, wished_at = NULL,
    ${useUp(at, dialect)}`

/**
 * Assignments once a probe is recorded: the newly drawn time, unless the previously drawn one is still ahead and earlier.
 * @param next the parameter with the newly drawn time
 * @param now a parameter
 */
export const rescheduledTimes = (next: string, now: string, { least }: Dialect): string => {
  const time = `CASE WHEN ${drawn} > ${now} THEN ${least}(${drawn}, ${next}) ELSE ${next} END`
  return `drawn_at = ${time}, due_at = ${least}(${time}, coalesce(${column('wished_at')}, ${time}))`
}
