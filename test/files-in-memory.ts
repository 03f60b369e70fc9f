// Temporary files of tests lie in memory where the machine has plenty: each commit of a database waits for the disk otherwise.
import { accessSync, constants, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const FOLDER = '/dev/shm'
/** Several times what all tests together leave there at a time. */
const PLENTY_BYTES = 6 * 1024 ** 3

function hasPlenty(): boolean {
  try {
    accessSync(FOLDER, constants.W_OK)
    const { bavail, bsize } = statfsSync(FOLDER)
    return Math.min(bavail * bsize, freemem()) > PLENTY_BYTES
  } catch {
    return false
  }
}

if (process.env.TMPDIR === undefined && hasPlenty()) process.env.TMPDIR = FOLDER
