// The standing of a service: what the directory itself has measured.

export const STATUSES = ['verified', 'unverified', 'inactive'] as const
export type Status = (typeof STATUSES)[number]

export type Standing = {
  readonly status: Status
  /** Whole number, 0–100. */
  readonly trustScore: number
  /** Percentage of good probes, 0–100 with two decimals; 0 before the first. */
  readonly uptimeScore: number
  /** ISO 8601 UTC; the registration check counts as the first. */
  readonly lastChecked: string
  readonly txCount: number
  /** Exact decimal in units of the currency. */
  readonly totalRevenue: string
}

export const initialStanding = (at: string): Standing => ({
  status: 'unverified',
  trustScore: 0,
  uptimeScore: 0,
  lastChecked: at,
  txCount: 0,
  totalRevenue: '0',
})
