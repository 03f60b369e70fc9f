// Loaded into the server that is measured: counts how often its serving thread works for long without a look at new
// requests. It reads the thread's own processor time, so that other work on the machine does not count.
import { openSync, readSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const LONG_MS = 2
const WRITE_EVERY_MS = 200
const file = process.env.STRETCHES_FILE

if (isMainThread && file) {
  const stat = openSync(`/proc/${process.pid}/task/${process.pid}/schedstat`, 'r')
  const buffer = Buffer.alloc(64)
  const cpuMs = () => {
    const length = readSync(stat, buffer, 0, buffer.length, 0)
    return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6
  }
  let lastMs = cpuMs()
  let long = 0
  setInterval(() => {
    const nowMs = cpuMs()
    if (nowMs - lastMs > LONG_MS) long++
    lastMs = nowMs
  }, 1)
  setInterval(() => writeFileSync(file, String(long)), WRITE_EVERY_MS)
}
