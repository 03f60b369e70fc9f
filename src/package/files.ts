// Paths of the files of the package. The code runs from src/, or bundled in dist/, where a module may be in any chunk: so no other module
// may derive paths from its own location.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const self = fileURLToPath(import.meta.url)
const isBuilt = !self.endsWith('.ts')

export const PACKAGE_ROOT = findRoot(dirname(self))
/** The folder of the running code, relative to the root. */
export const CODE_FOLDER = isBuilt ? 'dist' : 'src'

/** A file next to the code: `data/sample.ndjson`. */
export const packageFile = (path: string): string => join(PACKAGE_ROOT, path)

/** A file within the code, by its name in src/: the entry module of a thread or process, or a file that pages load. */
export const codeFile = (path: string): string =>
  join(PACKAGE_ROOT, CODE_FOLDER, isBuilt ? path.replace(/\.ts$/, '.js') : path)

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}
