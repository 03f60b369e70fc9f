// Paths of the files of the package, which are within the executable where it is built as one (scripts/build-binary.ts).
import { basename, join } from 'node:path'

const IS_EXECUTABLE = Bun.embeddedFiles.length > 0

export const PACKAGE_ROOT = IS_EXECUTABLE
  ? import.meta.dir.replace(/([\\/]root)\b.*$/, '$1')
  : join(import.meta.dir, '../..')

/** In a checkout, or from an installed package. */
export const toCommand = (root: string): string =>
  /[\\/]node_modules[\\/]/.test(root) ? 'npx shirube' : 'npm run -s shirube --'

/** How a user of this copy runs a command. */
export const OWN_COMMAND = IS_EXECUTABLE ? basename(process.execPath) : toCommand(PACKAGE_ROOT)

/** The command line of a command in a process of its own. */
export const ownCommand = (...args: readonly string[]): string[] =>
  IS_EXECUTABLE ? [process.execPath, ...args] : [process.execPath, codeFile('cli/main.ts'), ...args]

/** A file next to the code: `data/sample.ndjson`. */
export const packageFile = (path: string): string => join(PACKAGE_ROOT, path)

/** A file within the code: the entry module of a thread or process, or a file that pages load. */
export const codeFile = (path: string): string =>
  join(PACKAGE_ROOT, 'src', IS_EXECUTABLE ? path.replace(/\.ts$/, '.js') : path)
