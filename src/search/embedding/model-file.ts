// The files of the embedding: the weights, and the words of their rows. Both are opened at startup, read when a text is
// first embedded, and stay open: an open file does not change when an update replaces it.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { EmbeddingRows } from './rows.ts'

/** "EMB1" as the first four bytes. */
const MAGIC = 0x31424d45
const HEADER_BYTES = 16

/** The weights and the words in memory. */
export type Model = {
  readonly rows: EmbeddingRows
  /** One word per line, each line terminated. */
  readonly words: string
}

export type ModelFile = {
  readonly dimensions: number
  /** Identifies the model. Training changes every scale, so the codes, nine tenths of the file, need not be read for it. */
  stamp(): number
  read(): Model
}

/** The weights are at `path`, the words next to it in the file of the same name that ends in .txt. */
export function openModelFile(path: string): ModelFile {
  const weights = openSync(path, 'r')
  const header = readAt(weights, 0, new Uint8Array(HEADER_BYTES))
  const [magic, count, dimensions, unused] = new Uint32Array(header.buffer) as unknown as [
    number,
    number,
    number,
    number,
  ]
  const scalesAt = HEADER_BYTES
  const codesAt = scalesAt + count * 4
  // Files of earlier versions end with further vectors, which are not read.
  const end = codesAt + (count * dimensions) / 2 + unused * dimensions
  if (magic !== MAGIC || fstatSync(weights).size !== end) {
    closeSync(weights)
    throw new Error(`${path} is not an embedding of this version. Restore it from the repository.`)
  }
  const words = openSync(path.replace(/\.bin$/, '.txt'), 'r')

  return {
    dimensions,
    stamp() {
      const scales = readAt(weights, scalesAt, new Uint8Array(codesAt - scalesAt))
      const vocabulary = readAt(words, 0, new Uint8Array(fstatSync(words).size))
      return [header, scales, vocabulary].reduce((crc, part) => Bun.hash.crc32(part, crc), 0)
    },
    read() {
      const rows = new EmbeddingRows(dimensions, count)
      readAt(weights, scalesAt, rows.scaleBytes)
      readAt(weights, codesAt, rows.codeBytes)
      const vocabulary = readAt(words, 0, new Uint8Array(fstatSync(words).size))
      return { rows, words: new TextDecoder().decode(vocabulary) }
    },
  }
}

/** Fills the bytes from an offset of the file. */
function readAt(fd: number, from: number, bytes: Uint8Array): Uint8Array {
  for (let at = 0; at < bytes.length; ) {
    const count = readSync(fd, bytes, at, bytes.length - at, from + at)
    if (count === 0)
      throw new Error('The file of the embedding ends too early. Restore it from the repository.')
    at += count
  }
  return bytes
}
