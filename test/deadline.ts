// Loaded before every test file that runs alone or in a global of its own, as with `npm test`.
// Only a hang takes so long, on however busy a machine: no test fails on the clock.
import { setDefaultTimeout } from 'bun:test'

setDefaultTimeout(300_000)
