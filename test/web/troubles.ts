// Services with one problem each.

import { createIdSource } from '../../src/domain/ids.ts'
import { createEntry, type ServiceDraft } from '../../src/domain/listing/service.ts'
import { judge, type ReadTerms } from '../../src/domain/standing/judge.ts'
import type { ProbeRecord } from '../../src/domain/standing/standing.ts'
import { say } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { draft } from '../entries.ts'
import { recordProbe } from '../probes.ts'
import { requirements, resource, seen } from '../terms.ts'

const HOUR_MS = 3_600_000
const WALLET = '0x7aA3B0D047d135f43e8699E07783a548819BC25c'
export const OTHER_WALLET = `0x${'5'.repeat(40)}`

const HOSTS = {
  asksMore: 'geocoder.example.com',
  otherWallet: 'lingua.example.com',
  silent: 'imagery.example.com',
  refused: 'quotes.example.com',
} as const

const toEndpoint = (name: keyof typeof HOSTS) => `https://${HOSTS[name]}/v1`

type Trouble = {
  readonly draft: Pick<ServiceDraft, 'name' | 'description' | 'category'>
  /** Oldest first, an hour apart. */
  readonly probes: readonly (Partial<ProbeRecord> & { readonly terms?: ReadTerms })[]
}

function terms(
  name: keyof typeof HOSTS,
  payTo: string,
  price: string,
  seenPrice: 'same' | 'higher',
): ReadTerms {
  const asks = { amount: price, currency: 'USDC' }
  const amount = String(Math.round(Number(price) * 1e6))
  const accepts = [{ ...requirements, payTo, price, amount }]
  return {
    payTo: [payTo],
    price: asks,
    furtherChains: [],
    seen: { ...seen(resource({ accepts, url: toEndpoint(name) })), asks, price: seenPrice },
  }
}

const payable = (name: keyof typeof HOSTS) => ({ terms: terms(name, WALLET, '0.001', 'same') })
const silent = {
  outcome: 'unreachable' as const,
  httpStatus: null,
  latencyMs: null,
  reasons: [say('connection_refused', { host: HOSTS.silent, errno: 'ECONNREFUSED' })],
}

const TROUBLES = {
  asksMore: {
    draft: {
      name: 'Meridian Geocoder',
      description: 'Turns a place into coordinates, for the whole world, in one answer.',
      category: 'maps',
    },
    probes: [
      payable('asksMore'),
      {
        outcome: 'mismatched',
        reasons: [say('asks_more', { price: '5', currency: 'USDC', upTo: false, listed: '0.001 USDC' })],
        terms: terms('asksMore', WALLET, '5', 'higher'),
      },
    ],
  },
  otherWallet: {
    draft: {
      name: 'Lingua Bridge',
      description: 'Translates short texts between English, Japanese and Korean.',
      category: 'translation',
    },
    probes: [
      payable('otherWallet'),
      {
        outcome: 'mismatched',
        reasons: [say('other_address', { address: WALLET, seen: [OTHER_WALLET], more: 0 })],
        terms: terms('otherWallet', OTHER_WALLET, '0.001', 'same'),
      },
    ],
  },
  silent: {
    draft: {
      name: 'Overhead Imagery',
      description: 'The newest cloud-free satellite image of any square kilometre.',
      category: 'image',
    },
    probes: [payable('silent'), payable('silent'), silent, silent, silent],
  },
  refused: {
    draft: {
      name: 'Walled Garden',
      description: 'Quotes of listed companies, behind a bot check.',
      category: 'finance',
    },
    probes: [
      {
        outcome: 'refused',
        httpStatus: 403,
        asListed: false,
        reasons: [say('answers_with_refusal', { status: 403 })],
      },
    ],
  },
} as const satisfies Record<string, Trouble>

export type TroubleName = keyof typeof TROUBLES

/** Returns the id of each. */
export async function addTroubles(databaseUrl: string): Promise<Record<TroubleName, string>> {
  await using store = await openStore(databaseUrl, { clock: systemClock })
  const newId = createIdSource()
  const ids: Record<string, string> = {}
  for (const name of Object.keys(TROUBLES) as TroubleName[]) {
    const { draft: given, probes }: Trouble = TROUBLES[name]
    const start = Date.now() - (probes.length + 1) * HOUR_MS
    const now = new Date(start)
    const entry = createEntry(
      draft({
        endpoint: toEndpoint(name),
        pricing: { currency: 'USDC', pricePerRequest: '0.001', freeQuota: 0 },
        x402Config: { paymentAddress: WALLET, network: 'base' },
        ...given,
      }),
      { id: newId(now), now, owner: 'key_1' },
    )
    await store.insert([entry])
    ids[name] = entry.id
    for (const [i, { terms, ...measured }] of probes.entries()) {
      const probe: ProbeRecord = {
        serviceId: entry.id,
        at: new Date(start + (i + 1) * HOUR_MS).toISOString(),
        outcome: 'payable',
        httpStatus: 402,
        latencyMs: 150 + i,
        priceSeen: null,
        asListed: true,
        reasons: [],
        ...measured,
      }
      await recordProbe(store, probe, (kept, history) => ({
        ...judge(kept, { probe, terms }, history),
        dueAt: null,
      }))
    }
  }
  return ids as Record<TroubleName, string>
}
