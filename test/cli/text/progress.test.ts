import { expect, test } from 'bun:test'
import { progressText } from '../../../src/cli/text/terminal.ts'

const what = 'services read'

test.each([
  ['at first, only how much', { count: 1_000, elapsedMs: 999 }, '1,000 services read'],
  ['how fast', { count: 9_000, elapsedMs: 4_000 }, '9,000 services read, 2,250 a second'],
  [
    'how long it takes, where the end is known',
    { count: 9_000, elapsedMs: 4_000, fraction: 0.25 },
    '9,000 services read, 2,250 a second, 12 s left',
  ],
  ['in minutes', { count: 60, elapsedMs: 60_000, fraction: 0.2 }, '60 services read, 1 a second, 4 min left'],
  [
    'in hours',
    { count: 3_600, elapsedMs: 3_600_000, fraction: 0.4 },
    '3,600 services read, 1 a second, 1 h 30 min left',
  ],
  ['no time at its end', { count: 10, elapsedMs: 5_000, fraction: 1 }, '10 services read, 2 a second'],
  [
    'no time before it has begun',
    { count: 10, elapsedMs: 5_000, fraction: 0 },
    '10 services read, 2 a second',
  ],
])('progress shows %s', (_, progress, text) => expect(progressText({ what, ...progress })).toBe(text))
