import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let root: string | undefined

/** A path in a new folder that goes away after the tests of the file. */
export function temporaryPath(...names: string[]): string {
  root ??= mkdtempSync(join(tmpdir(), 'shirube-store-'))
  return join(mkdtempSync(join(root, 'case-')), ...names)
}

/** After each test file (`test/leftovers.ts`). */
export function removeTemporaryFiles(): void {
  if (root) rmSync(root, { recursive: true, force: true })
  root = undefined
}
