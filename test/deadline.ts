// Loaded before every test file. Only a hang takes so long, on however busy a machine: no test fails on the clock.
import { setDefaultTimeout } from 'bun:test'

setDefaultTimeout(300_000)
