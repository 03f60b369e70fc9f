// What is said of an entry, in English.
import type { PartWords } from '../kinds.ts'
import type { STANDING_CODES } from '../standing-codes.ts'
import type { Words } from '../words.ts'
import { quoted } from './phrases.ts'

const PARTY: PartWords<'party'> = {
  owner: 'Its owner',
  operator: 'An operator',
  source: 'Its source',
}
const CHANGE: PartWords<'change'> = {
  place: 'where it is or whom it pays',
  payment_address: 'the payment address',
  price: 'the price',
  listing: 'the listing',
}
const PROOF_PLACE: PartWords<'proof_place'> = {
  well_known: 'in a file at its well-known path',
  dns: 'in its DNS',
}
const PROOF_NAME: PartWords<'proof_name'> = {
  wallet: 'the wallet that it pays',
  id: 'its id',
}
const SHAPE: PartWords<'address_shape'> = {
  evm: '0x and 40 hexadecimal digits',
  solana: '32 bytes in base58 (32 to 44 characters)',
  algorand: '58 characters of base32 (A–Z, 2–7)',
  hex_account: '0x and up to 64 hexadecimal digits',
  hedera: 'an account number such as 0.0.1234, or 0x and 40 hexadecimal digits',
  near: '2 to 64 lower-case letters and digits, parted by single . - or _',
  stellar: 'G, C or M and base32 with a valid checksum (56 characters, 69 for M)',
  ton: '48 characters of base64, or a workchain, a colon and 64 hexadecimal digits',
  tron: 'T and 33 characters of base58',
  xrpl: 'r and 24 to 34 characters of the ledger’s base58, or an X-address of 47 characters',
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

const counted = (probes: number) => (probes === 1 ? '1 probe' : `${probes} probes`)

const payees = (addresses: readonly string[]) =>
  addresses.length === 0 ? 'nobody on the registered network' : addresses.join(' and ')

export const STANDING: Words<typeof STANDING_CODES> = {
  edited: ({ by, what }) => `${PARTY[by]} changed ${CHANGE[what]}.`,
  retired_by: ({ by, message }) => `${PARTY[by]} has taken it out of service: ${message}`,
  removed_by_stranger: 'Removed by the wallet that had listed it, which it does not pay.',
  unlisted_by_source: ({ url }) =>
    `${PARTY.source} has taken it out of service: It is no longer listed at ${url}.`,
  restored_by: ({ by }) => `${PARTY[by]} has brought it back.`,
  claimed: 'The wallet that it pays has claimed it.',
  removed_by_source: ({ url }) => `Its source, ${url}, has removed it.`,
  proof_gained: ({ host, by, names }) => `${host} names ${PROOF_NAME[names]} ${PROOF_PLACE[by]}.`,
  proof_missing: ({ host, count }) =>
    `${host} no longer speaks for it: nothing was found there ${count} times in a row.`,
  proof_of_others: ({ host }) => `${host} no longer speaks for it: it names others only.`,
  hidden_by_operator: ({ why }) => `An operator hid this service: ${why}`,
  unhidden_by_operator: 'An operator shows it again.',
  retired: 'Its owner has taken it out of service.',
  failed_in_a_row: ({ count, seen }, tell) =>
    [`${count} probes in a row failed.`, ...seen.map(tell)].join(' '),
  refused_in_a_row: ({ count, seen }, tell) =>
    [`${count} probes in a row were refused, so that nothing is proved any more.`, ...seen.map(tell)].join(
      ' ',
    ),
  verified_at_risk: ({ left, seen }, tell) =>
    [
      `The last probe went wrong; after ${left === 1 ? 'one more' : `${left} more`} in a row it is no longer verified.`,
      ...seen.map(tell),
    ].join(' '),
  answered_again: ({ count, seen }, tell) =>
    [`It answered ${count} probes in a row again.`, ...seen.map(tell)].join(' '),
  pay_to_changed: ({ before, after }) => `It asked to pay ${payees(before)}, and now ${payees(after)}.`,
  further_payee: ({ before, after }) =>
    `On another chain than the registered one it now asks to pay ${payees(after)}, and before ${payees(before)}.`,
  price_changed: ({ before, after }) => `It asked for ${before} per request, and now asks for ${after}.`,
  scheme_changed: ({ before, after }) =>
    `It took payment by ${before.join(', ') || 'no scheme'}, and now by ${after.join(', ') || 'none'}.`,
  paid_upfront: ({ all }) =>
    `${all ? 'It' : 'One of its ways to pay'} takes the payment before anything arrives: what is not delivered is lost.`,
  paid_by_deposit: ({ scheme }) =>
    `By ${scheme} money is handed over that is not spent yet; look at what is taken and when the rest comes back.`,
  not_by_default_client:
    'The official clients refuse it unless they are configured otherwise: its assets are not among their defaults, or a request costs more than a dollar.',
  terms_never_seen: 'Its endpoint has not answered with terms that could be read yet.',
  seen_asking: ({ price, listed, isMore }) =>
    `Its endpoint asks for ${price} per request, ${isMore ? 'more' : 'less'} than the listed ${listed}.`,
  schema_changed: ({ method }) =>
    `Its ${method} request takes other input, or gives other output, than it said before.`,

  sample: 'This is an entry of the sample catalog: its status is invented and it is never probed.',
  not_measured: 'It has not been measured yet.',
  not_probed: 'It has not been probed yet.',
  speed: ({ probes, fast, fastMs, fair, fairSeconds }) =>
    `${fast} of ${counted(probes)} answered within ${fastMs} ms${fair > 0 ? `; ${fair} more within ${fairSeconds} s, which count half` : ''}.`,
  age_since_registration: ({ days: count, fullDays }) =>
    count === 0
      ? `It has not answered as registered for a day yet; ${fullDays} days give full points.`
      : `It answered as registered up to ${days(count)} after its registration; ${fullDays} days give full points.`,
  age_since_move: ({ days: count, fullDays }) =>
    count === 0
      ? `It has not answered as registered for a day since its last move; ${fullDays} days give full points.`
      : `It answered as registered up to ${days(count)} after its last move; ${fullDays} days give full points.`,
  payers_unknown: 'This directory tracks payments on none of its chains, so its payers are not known.',
  payers_unclaimed: ({ settlements, payers }) =>
    `${settlements} payments by ${payers} wallets were settled on chain. They give points once the wallet that is paid has claimed the service by a signature.`,
  payers: ({ counted: counting, payers, fullPayers, inRing, tooSmall, largestPercent }) => {
    const left = [
      ...(inRing > 0 ? [`${inRing} got money back from it, directly or through others that it paid`] : []),
      ...(tooSmall > 0 ? [`${tooSmall} paid too little in all`] : []),
      ...(largestPercent > 0 ? [`one paid ${largestPercent}% of the rest`] : []),
    ]
    const tail = left.length > 0 ? ` Not counted: ${left.join(', ')}.` : ''
    return `${counting} of the ${payers} wallets that paid it on chain count; ${fullPayers} give full points.${tail}`
  },
  counts_in_part: ({ percent, provingPayers }) =>
    `Points that need no paying customer count for ${percent}% so far; they count in full once ${provingPayers} unrelated wallets have paid.`,
  earlier_formula: 'It was judged by an earlier formula; the next probe judges it by the present one.',
  never_verifiable: ({ problem }, tell) => `It can never be verified with this address. ${tell(problem)}`,
  verified: 'Its own 402 answer asks for what is listed: the registered address, network and price.',
  failing: 'The last probes failed. Two answers in a row bring it back.',
  verified_from: ({ count, at }) =>
    `It answers as registered again. It has stopped doing so ${count} times within 30 days, so it can be verified from ${at} on.`,
  not_as_registered:
    'The endpoint does not ask for what is listed (address, network, price). The history shows what it answers.',
  uptime: ({ answered, probes }) =>
    `It answered ${answered} of ${counted(probes)}. The more probes there are, the more a good share counts.`,
  stability: ({ probes, asListed, otherPrice, mismatched, mismatchWeight }) => {
    const also = [
      ...(otherPrice > 0 ? [`${otherPrice} found another price`] : []),
      ...(mismatched > 0
        ? [
            `${mismatched} found another address, another network or a higher price, and ${mismatched === 1 ? 'counts' : 'count'} ${mismatchWeight} times`,
          ]
        : []),
    ]
    const tail = also.length > 0 ? `; ${also.join(', ')}` : ''
    return `${asListed} of ${counted(probes)} found the registered address and the listed price${tail}.`
  },

  address_malformed: ({ address, network, shape }) =>
    `${quoted(address)} is not an address on ${network}: an address there is ${SHAPE[shape]}.`,
  address_of_nobody: ({ address, network }) =>
    `${quoted(address)} is an address on ${network} that nobody holds the key of: what is paid there is lost.`,
}
