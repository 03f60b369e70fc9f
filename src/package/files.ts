// Paths of the files of the package.
import { join } from 'node:path'

export const PACKAGE_ROOT = join(import.meta.dir, '../..')

/** In a checkout, or from an installed package. */
export const toCommand = (root: string): string =>
  /[\\/]node_modules[\\/]/.test(root) ? 'npx shirube' : 'npm run -s shirube --'

/** How a user of this copy runs a command. */
export const OWN_COMMAND = toCommand(PACKAGE_ROOT)

/** A file next to the code: `data/sample.ndjson`. */
export const packageFile = (path: string): string => join(PACKAGE_ROOT, path)

/** A file within the code: the entry module of a thread or process, or a file that pages load. */
export const codeFile = (path: string): string => join(PACKAGE_ROOT, 'src', path)
