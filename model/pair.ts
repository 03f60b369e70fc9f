// Two texts that mean the same or belong together: what the model learns from.
import { readFileSync } from 'node:fs'

export type Pair = { readonly a: string; readonly b: string }

/** Pairs by the name of their source, as train.py weighs them. */
export type PairSources = Map<string, Pair[]>

export function readLines(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean)
}
