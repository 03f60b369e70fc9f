// How much may still be sent on somebody's word, counted over all processes on a store.

export type Budget = {
  /** Of what or whom, such as an address. */
  readonly name: string
  /** Within one window. */
  readonly most: number
}

export interface BudgetTable {
  /**
   * Takes one from each of the budgets, or from none where one of them is spent; resolves to the first that is, with when it is
   * full again. A window begins with the first that is taken. One that ends later than `latestEnd` was begun by a clock that
   * has been set back since: it counts as ended. Takes out some that have ended before.
   */
  take(budgets: readonly Budget[], now: Date, windowMs: number): Promise<SpentBudget | undefined>
}

export type SpentBudget = { readonly name: string; readonly until: Date }

/** The clocks of two nodes differ: one that is less than a window ahead of the other shares its budgets. */
export const latestEnd = (nowMs: number, windowMs: number): number => nowMs + 2 * windowMs

/** How many to take out at a time. */
export const PRUNED_AT_ONCE = 200

/** What is left of the windows: those that have ended hold nothing. */
export function findSpent(
  budgets: readonly Budget[],
  rows: ReadonlyMap<string, { readonly endsAtMs: number; readonly spent: number }>,
): SpentBudget | undefined {
  for (const { name, most } of budgets) {
    const row = rows.get(name)
    if (row && row.spent >= most) return { name, until: new Date(row.endsAtMs) }
  }
  return undefined
}
