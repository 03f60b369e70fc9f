// Complete reads and writes of a file: a system call may transfer less than requested.
import { readSync, writeSync } from 'node:fs'

export function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at)
}

export function readAll(fd: number, bytes: Uint8Array, position: number): void {
  if (readSome(fd, bytes, position) !== bytes.length) throw new Error('A snapshot ended too early.')
}

/** Reads until the buffer is full or the file ends. */
export function readSome(fd: number, bytes: Uint8Array, position: number): number {
  let at = 0
  while (at < bytes.length) {
    const count = readSync(fd, bytes, at, Math.min(bytes.length - at, 1 << 30), position + at)
    if (count === 0) break
    at += count
  }
  return at
}
