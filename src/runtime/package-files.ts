// Where the files of the package lie. Its code runs from src/, or built from dist/, where a module may end up in any piece of the
// bundle: so no other module looks for files from its own place.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const self = fileURLToPath(import.meta.url)
const isBuilt = !self.endsWith('.ts')

export const PACKAGE_ROOT = findRoot(dirname(self))
/** The folder of the code that runs, from the root. */
export const CODE_FOLDER = isBuilt ? 'dist' : 'src'

/** A file beside the code: `data/sample.ndjson`. */
export const packageFile = (path: string): string => join(PACKAGE_ROOT, path)

/** A file among the code, as src/ names it: a module that a thread or a process starts with, or what pages load. */
export const codeFile = (path: string): string =>
  join(PACKAGE_ROOT, CODE_FOLDER, isBuilt ? path.replace(/\.ts$/, '.js') : path)

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}
