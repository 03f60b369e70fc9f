// A separate process that writes into a database: prints "ready", waits for a line, then prints every id once it is stored.
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { listed } from '../entries.ts'

const [path, count] = process.argv.slice(2)
console.log('ready')
for await (const _ of console) break
const store = await openStore(`sqlite:${path}`, { clock: systemClock })

let left = Number(count)
const write = async () => {
  while (left-- > 0) {
    const kept = await listed(store, { name: `Written by ${process.pid}` })
    console.log(kept.id)
  }
}
await Promise.all([write(), write(), write(), write()])
await store[Symbol.asyncDispose]()
process.exit(0)
