// What is told of each way to pay: the notes of the terms, whether the official clients pay it, what the call does, the verdict before a
// payment of it, and whether it is a danger.
import { expect, test } from 'bun:test'
import { toCall } from '../../../src/domain/call/call.ts'
import { createEntry } from '../../../src/domain/listing/service.ts'
import { NO_RATES } from '../../../src/domain/money/rates.ts'
import { dangerOf } from '../../../src/domain/standing/trust.ts'
import { type PaymentRequirements, toSeenResources } from '../../../src/domain/terms/terms.ts'
import { toTermsAnswer } from '../../../src/domain/terms/terms-view.ts'
import { requirements as plain, resource as someResource } from '../../terms.ts'
import { ask, listing, NOW, SEEN, SERVICE } from '../resolve-listings.ts'

const STRANGER = `0x${'2'.repeat(40)}`
const withExtra = (extra: PaymentRequirements['extra']): PaymentRequirements => ({ ...plain, extra })
const gateway = withExtra({ name: 'GatewayWalletBatched', version: '1' })
const nameless = withExtra({})
const delegated = withExtra({ ...plain.extra, assetTransferMethod: 'erc7710' })
const charge: PaymentRequirements = {
  ...withExtra({ method: 'evm', credentialTypes: ['authorization'] }),
  protocol: 'mpp',
  scheme: 'charge',
}
const split: PaymentRequirements = { ...charge, splitTo: [STRANGER] }
const card: PaymentRequirements = { ...charge, network: 'card', chain: 'card', payTo: 'card', asset: 'usd' }

type Told = {
  readonly notes: readonly string[]
  readonly byDefault: boolean
  readonly call: string
  readonly verdict: readonly string[]
  readonly danger?: 'terms'
}
const CLEAR = ['clear', 'as_listed_and_seen']

test.each<[string, readonly PaymentRequirements[], Told]>([
  ['plain', [plain], { notes: [], byDefault: true, call: 'new x402Client()', verdict: CLEAR }],
  [
    'a gateway alone',
    [gateway],
    {
      notes: ['needs_deposit'],
      byDefault: false,
      call: "deposited at Circle's Gateway first",
      verdict: ['caution', 'needs_deposit'],
    },
  ],
  [
    'a gateway before a plain way',
    [gateway, plain],
    { notes: ['needs_deposit'], byDefault: true, call: 'new x402Client()', verdict: CLEAR },
  ],
  [
    'a gateway for another amount',
    [gateway, { ...plain, amount: '2400' }],
    {
      notes: ['needs_deposit'],
      byDefault: true,
      call: 'maxAmountPerPayment: "2400"',
      verdict: ['caution', 'needs_deposit'],
    },
  ],
  [
    'no name and version',
    [nameless],
    { notes: ['not_by_default_client domain'], byDefault: false, call: 'No official client', verdict: CLEAR },
  ],
  [
    'no name and version beside a plain way',
    [nameless, plain],
    { notes: ['way_unsignable domain'], byDefault: true, call: 'new x402Client()', verdict: CLEAR },
  ],
  [
    'erc7710',
    [delegated],
    {
      notes: ['not_by_default_client transfer'],
      byDefault: false,
      call: 'No official client',
      verdict: CLEAR,
    },
  ],
  [
    'erc7710 beside a plain way',
    [delegated, plain],
    { notes: ['way_unsignable transfer'], byDefault: true, call: 'new x402Client()', verdict: CLEAR },
  ],
  ['MPP alone', [charge], { notes: ['mpp_only'], byDefault: false, call: 'Mppx.create(', verdict: CLEAR }],
  [
    'MPP and a card beside x402',
    [charge, card, plain],
    { notes: [], byDefault: true, call: 'new x402Client()', verdict: CLEAR },
  ],
  [
    'MPP with a split to a stranger',
    [split],
    {
      notes: ['asks_other_wallet', 'mpp_only'],
      byDefault: false,
      call: 'This service is paid by MPP alone',
      verdict: ['stop', 'payee_elsewhere'],
      danger: 'terms',
    },
  ],
])('%s', (_, accepts, told) => {
  const isMppOnly = accepts.every(({ protocol }) => protocol === 'mpp')
  const terms = {
    seenAt: SEEN.at,
    x402Version: isMppOnly ? null : (2 as const),
    resources: [someResource({ url: 'https://api.weather.jp/v1/forecast', accepts: [...accepts] })],
  }
  const seen = { ...SEEN, resources: toSeenResources(terms.resources) }
  const entry = { ...createEntry(SERVICE, { id: SERVICE.id, now: NOW }), seen }
  const { noteCodes, payableByDefaultClient } = toTermsAnswer(entry, terms, NO_RATES)
  expect(noteCodes.map(({ code, values }) => [code, values.why].filter(Boolean).join(' '))).toEqual([
    ...told.notes,
  ])
  expect(payableByDefaultClient).toBe(told.byDefault)
  expect(toCall(SERVICE, terms, 'typescript')).toContain(told.call)
  expect(ask({ scheme: isMppOnly ? 'charge' : 'exact' }, [listing({ seen })])).toEqual([...told.verdict])
  expect(dangerOf(entry)).toBe(told.danger)
})
