// Questions of bench/answers.ts about payments: the listed one, and every change of it that somebody could try.
import { CHAINS } from '../src/domain/chains/chains.ts'
import type { Entry } from '../src/domain/listing/service.ts'
import type { Question } from './questions.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const STRANGER = `0x${'7'.repeat(40)}`

/** Spellings of one URL, and URLs beside and below it. */
const SPELLINGS: readonly ((url: string) => string)[] = [
  url => url,
  url => `${url}/`,
  url => `${url}/below/it?city=Tokyo`,
  url => `${url}?a=1&b=%2F`,
  url => `${url}#part`,
  url => url.replace('https://', 'http://'),
  url => url.replace(/^https:\/\/[^/]+/, origin => origin.toUpperCase()),
  url => url.replace(/^https:\/\/[^/]+/, origin => `${origin}:443`),
  url => url.replace(/^https:\/\/[^/]+/, origin => `${origin}:8443`),
  url => url.replace(/^https:\/\/[^/]+/, origin => `${origin}.`),
  url => url.replace('https://', 'https://user:word@'),
  url => url.replace(/^(https:\/\/[^/]+).*/, '$1'),
  url => url.replace(/v1/, '%76%31'),
  url => `${url}/..%2fadmin`,
  url => `${url}/../other`,
  url => `${url}//twice`,
  url => `${url}x`,
]

const CHANGES: readonly Readonly<Record<string, string>>[] = [
  {},
  { payTo: STRANGER },
  { amount: '1' },
  { amount: '2500', asset: USDC },
  { amount: '9'.repeat(70), asset: USDC },
  { asset: STRANGER },
  { network: 'polygon' },
  { network: 'eip155:8453', asset: USDC.toLowerCase(), amount: '2500', scheme: 'exact', method: 'GET' },
  { network: CHAINS[2]!.id },
  { scheme: 'upto' },
  { method: 'POST' },
  { method: '' },
  { amount: '-1' },
  { price: '1' },
]

export function askedOfPayments(entries: readonly Entry[]): Question[] {
  return entries.flatMap(({ endpoint, x402Config }, i) => {
    const { paymentAddress: payTo, network } = x402Config
    const spelled = { url: SPELLINGS[i % SPELLINGS.length]!(endpoint), payTo }
    const changed = { url: endpoint, payTo, network, ...CHANGES[i % CHANGES.length] }
    return [spelled, changed].map(fields => ({ path: `/api/resolve?${new URLSearchParams(fields)}` }))
  })
}
