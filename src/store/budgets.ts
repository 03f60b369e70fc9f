// Rate budgets for outgoing requests that callers cause, shared by all processes on a store.

export type Budget = {
  /** What is limited, such as an address. */
  readonly name: string
  /** Requests per window. */
  readonly most: number
}

export interface BudgetTable {
  /**
   * Takes one from each of the budgets, or from none if any is spent; resolves to the first spent one, with the end of its window.
   * A window begins with its first take. A window that ends later than `latestEnd` was begun by a clock that has been set back
   * since, and counts as ended. Also deletes some ended windows.
   */
  take(budgets: readonly Budget[], now: Date, windowMs: number): Promise<SpentBudget | undefined>
}

export type SpentBudget = { readonly name: string; readonly until: Date }

/** Clocks of two nodes may differ by up to one window and still share their budgets. */
export const latestEnd = (nowMs: number, windowMs: number): number => nowMs + 2 * windowMs

/** Ended windows deleted per call. */
export const PRUNED_AT_ONCE = 200

/** The first spent budget. @param rows the windows that have not ended */
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
