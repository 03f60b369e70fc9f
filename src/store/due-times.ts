// The dates of a row of the schedule, as expressions for both dialects. A probe that somebody brings about is an extra one, besides the
// one whose time was drawn: whoever could put that off, or knew that it was drawn anew, would know when none comes.
//   due_at        when it is probed next
//   drawn_at      the time that was drawn, where that is not due_at
//   wished_at     of an extra probe that was asked for and has not begun
//   wishes_until  so far ahead the extra probes are used up

/** So many probes of one service can be brought about at once; then one comes free every so often. */
export const MAX_EXTRA_PROBES = 5
export const EXTRA_PROBE_EVERY_MS = 60_000

/** One more than there are waits for its turn. */
const EXTRA_PROBES_AHEAD_MS = (MAX_EXTRA_PROBES + 1) * EXTRA_PROBE_EVERY_MS

/** Column names are qualified: beside an insert the dialects differ in what a bare one means. */
const column = (name: string) => `probe_schedule.${name}`
const due = column('due_at')
const drawn = `coalesce(${column('drawn_at')}, ${due})`

/** The functions that return the least and the greatest of their values, none of which is null here. */
type Dialect = { readonly least: string; readonly greatest: string }

/** Until when extra probes are used up, before one at this time; what lies further ahead was set by a clock that has been put back. */
const usedUntil = (at: string) =>
  `CASE WHEN ${column('wishes_until')} > ${at} AND ${column('wishes_until')} <= ${at} + ${EXTRA_PROBES_AHEAD_MS}
     THEN ${column('wishes_until')} ELSE ${at} END`
const extraProbeTime = (at: string, { greatest }: Dialect) =>
  `${greatest}(${at}, ${usedUntil(at)} - ${(MAX_EXTRA_PROBES - 1) * EXTRA_PROBE_EVERY_MS})`

const useUp = (at: string, { least }: Dialect) =>
  `wishes_until = ${least}(${usedUntil(at)} + ${EXTRA_PROBE_EVERY_MS}, ${at} + ${EXTRA_PROBES_AHEAD_MS})`

/** What to set for a probe besides the one that is drawn. @param at a parameter */
export const extraProbeTimes = (at: string, dialect: Dialect): string => {
  const wished = extraProbeTime(at, dialect)
  return `due_at = ${dialect.least}(${due}, ${wished}), drawn_at = ${drawn}, wished_at = ${wished},
    ${useUp(at, dialect)}`
}

/** What to set for the first probe of what begins anew. @param at a parameter */
export const anewTimes = (at: string, dialect: Dialect): string =>
  `due_at = ${extraProbeTime(at, dialect)}, drawn_at = NULL, wished_at = NULL,
    ${useUp(at, dialect)}`

/**
 * What to set once a probe is settled: the time that is drawn now, unless one that was drawn before is still to come and sooner.
 * @param next the parameter with the time that is drawn now
 * @param now a parameter
 */
export const rescheduledTimes = (next: string, now: string, { least }: Dialect): string => {
  const time = `CASE WHEN ${drawn} > ${now} THEN ${least}(${drawn}, ${next}) ELSE ${next} END`
  return `drawn_at = ${time}, due_at = ${least}(${time}, coalesce(${column('wished_at')}, ${time}))`
}
