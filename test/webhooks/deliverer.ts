// A process of its own that sends to the webhooks of a database until it is told to end; its clock may run ahead.

import { Timelines } from '../../src/domain/feed.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { openDeliveries } from '../../src/webhooks/deliveries.ts'
import { createSender, SEND_LIMITS } from '../../src/webhooks/send.ts'

const [path, name, aheadMs] = process.argv.slice(2)
const clock: Clock = {
  now: () => new Date(systemClock.now().getTime() + Number(aheadMs)),
  sleep: systemClock.sleep,
}
const store = await openStore(`sqlite:${path}`, { clock })
const deliveries = openDeliveries({
  store,
  visible: {
    seq: Number.MAX_SAFE_INTEGER,
    timelines: new Timelines(),
    watch: onChange => store.watch(onChange),
  },
  send: createSender({
    request: createSafeFetch({ allowPrivate: true, limits: SEND_LIMITS }),
    budgets: store.budgets,
    clock,
    userAgent: name!,
  }),
  isActive: async () => true,
  clock,
})
console.log('ready')
for await (const _ of console) break
await deliveries[Symbol.asyncDispose]()
await store[Symbol.asyncDispose]()
process.exit(0)
