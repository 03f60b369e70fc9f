import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

const CODE = {
  src: new Glob('src/{catalog,search,memory,domain}/**/*.ts'),
  // A built chunk may contain modules of any folder.
  dist: new Glob('dist/**/*.js'),
}
const DATA = new Glob('data/*.{bin,txt}')

/** Files are read in pieces: the model alone would leave 11 MB of garbage. */
const PIECE_BYTES = 256 * 1024

/** A hash of everything that shapes the catalog's memory: the code of these folders, the data they read, and the runtime. */
export function codeStamp(root: string, code: keyof typeof CODE): string {
  const files = [CODE[code], DATA].flatMap(pattern => [...pattern.scanSync(root)]).sort()
  const piece = new Uint8Array(PIECE_BYTES)
  let hash = BigInt(Bun.hash(`${Bun.version} ${process.arch}`))
  for (const file of files) hash = hashFile(join(root, file), piece, BigInt(Bun.hash(file, hash)))
  return hash.toString(16)
}

function hashFile(path: string, piece: Uint8Array, seed: bigint): bigint {
  const fd = openSync(path, 'r')
  let hash = seed
  for (let length = piece.length; length === piece.length; ) {
    length = readSync(fd, piece, 0, piece.length, null)
    hash = BigInt(Bun.hash(piece.subarray(0, length), hash))
  }
  closeSync(fd)
  return hash
}
