// Loaded before the test files of a process. It holds for the first of them: who runs several in one gives --timeout, as npm test does.
// Only a hang takes so long, on however busy a machine: no test fails on the clock.
import { setDefaultTimeout } from 'bun:test'

setDefaultTimeout(900_000)
