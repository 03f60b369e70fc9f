// Random cases, the same few in every run: what a change breaks fails every time, and what it does not break never does.
// SEED=<number> draws others, RUNS=<number> more of them, where a test does not say how many.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.SEED ?? 402), numRuns: Number(process.env.RUNS ?? 40) })

export { fc }
