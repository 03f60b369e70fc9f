// Ports for who opens one later than it is named, or once more. The system deals out ports from 32768 on, to whoever listens or connects
// and names none: those below are taken by nobody meanwhile.
import { createServer } from 'node:net'

const FIRST = 20_000
const COUNT = 12_000

/** Test files that run side by side begin anywhere. */
let next = Math.floor(Math.random() * COUNT)

/** A port that nothing listens on, and that is not named twice. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + (next++ % COUNT)
    if (await isFree(port)) return port
  }
  throw new Error('No port is free.')
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
