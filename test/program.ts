// The program, for tests that start it in a process of its own.
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..')

export const LAUNCHER = join(ROOT, 'bin/shirube.mjs')
/** What a command does is the same without the launcher, which takes half of its time. */
export const MAIN = join(ROOT, 'src/cli/main.ts')
