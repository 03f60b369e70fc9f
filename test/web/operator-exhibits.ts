// What fills the operator's room: a key, sources in every state, a report, a payment, and what is hidden, collected and backed up.
import { readConfig } from '../../src/app/config.ts'
import { openOperator } from '../../src/app/operator.ts'
import type { LocalDirectory } from '../../src/directory/directory.ts'
import { say } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createSourceState } from '../../src/store/sources.ts'
import { ask, KEY } from '../http/directory-server.ts'
import type { PageDirectory } from './page-directory.ts'

const AN_HOUR_MS = 3_600_000

/** Resolves to the key of the operator. @param reported the service that a report is about */
export async function furnishRoom(site: PageDirectory, reported: string): Promise<string> {
  await using operator = await openOperator(readConfig({ DATABASE_URL: site.databaseUrl }))
  const { key } = await operator.keys.create({ name: 'Desk', scopes: ['admin'], expiresAt: null })
  await operator.keys.revoke(
    (await operator.keys.create({ name: 'Old', scopes: ['register'], expiresAt: null })).record.id,
  )
  const agent = await operator.keys.create({
    ...{ name: 'Agent', scopes: [], expiresAt: null, policy: { budgetPerDay: '1.00' } },
  })
  await using store = await openStore(site.databaseUrl, { clock: systemClock })
  const now = systemClock.now()
  const leased = new Date(now.getTime() + AN_HOUR_MS)
  const checkedAt = now.toISOString()
  const common = { kind: 'list', checkedAt }
  const lists = [
    'https://facilitator.example/discovery/resources',
    'https://away.example',
    'https://read.example',
  ]
  for (const [i, state] of [
    { ...common, succeededAt: checkedAt, dropped: 7 },
    {
      ...{
        ...common,
        failures: 4,
        problem: 'https://away.example cannot be read. It responds with status 503.',
      },
      cause: say('answers', { status: 503 }),
    },
    { read: 1_200 },
  ].entries()) {
    await store.sources.add(lists[i]!)
    await store.sources.save(
      { ...createSourceState(lists[i]!), ...state },
      'read' in state ? leased : undefined,
    )
  }
  await store.sources.pause(lists[0]!, now)
  const payment = { agent: agent.record.id, id: 'pay_1', at: checkedAt, expiresAt: leased.toISOString() }
  const place = { seller: 'shop.example', serviceId: null, url: 'https://shop.example/v1' }
  const money = { chain: 'eip155:8453', asset: '0x1', payTo: '0x2', scheme: 'exact', amount: '2000' }
  await store.spending.reserve(
    {
      ...{ ...payment, ...place, ...money, state: 'settled', reserved: 2_000, microUsd: 2_000 },
      ...{ transaction: null, logIndex: null },
    },
    null,
  )
  await ask(`${site.url}/api/services/${reported}/reports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      kind: 'no_delivery',
      text: 'It took 0.002 USDC at 10:12 and answered with an empty page.',
    }),
  })
  const directory = site.app.directory as LocalDirectory
  const why = 'It takes the payment and delivers nothing.'
  const wallet = '0x00000000000000000000000000000000000000aa'
  await directory.hide(
    {
      items: [
        { kind: 'host', value: 'impostor.example', why },
        { kind: 'wallet', value: wallet, why },
      ],
    },
    { key },
  )
  await directory.collect('team', { items: [{ kind: 'host', value: 'shop.example', why }] }, { key })
  await directory.backUp({ key })
  return key
}
