// Messages about an entry, in English.
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
  place: 'its endpoint or its payment address',
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
const CLIENT_REFUSAL: PartWords<'client_refusal'> = {
  asset: 'its asset is not one of their default assets',
  price: 'a request costs more than a dollar',
  flow: 'they do not support the way in which the payment is made',
  domain:
    'its 402 lacks extra.name and extra.version, the EIP-712 domain of the token, so that no payment can be signed; for USDC on Base add "USD Coin" and "2"',
  deposit: "it is paid from a deposit at Circle's Gateway, so that they would sign for another contract",
  transfer:
    'its extra.assetTransferMethod is one that no official client signs; offer eip3009 or permit2 as well',
  several: 'none of its payment options is signed by them without configuration, each for another cause',
}
const SHAPE: PartWords<'address_shape'> = {
  evm: '0x and 40 hexadecimal digits',
  not_evm: 'of another form than 0x and 40 hexadecimal digits, which is that of EVM chains',
  solana: '32 bytes in base58 (32 to 44 characters)',
  algorand: '58 characters of base32 (A–Z, 2–7)',
  hex_account: '0x and up to 64 hexadecimal digits',
  hedera: 'an account number such as 0.0.1234, or 0x and 40 hexadecimal digits',
  near: '2 to 64 lower-case letters and digits, separated by single . - or _',
  stellar: 'G, C or M and base32 with a valid checksum (56 characters, 69 for M)',
  ton: '48 characters of base64, or a workchain, a colon and 64 hexadecimal digits',
  tron: 'T and 33 characters of base58',
  xrpl: 'r and 24 to 34 characters of the ledger’s base58, or an X-address of 47 characters',
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

const counted = (number: number, what = 'probe') => `${number} ${what}${number === 1 ? '' : 's'}`

const payees = (addresses: readonly string[]) =>
  addresses.length === 0 ? 'no address on the listed network' : addresses.join(' and ')

export const STANDING: Words<typeof STANDING_CODES> = {
  edited: ({ by, what }) => `${PARTY[by]} changed ${CHANGE[what]}.`,
  retired_by: ({ by, message }) => `${PARTY[by]} took it out of service: ${message}`,
  removed_by_stranger: 'Removed by the wallet that listed it, which is not the wallet that it pays.',
  removed_unasked:
    'Removed by the wallet that it pays. The URL itself was never seen asking to pay that wallet.',
  unlisted_by_source: ({ url }) =>
    `${PARTY.source} took it out of service: it was no longer listed at ${url}.`,
  restored_by: ({ by }) => `${PARTY[by]} restored it.`,
  claimed: 'The wallet that it pays claimed it.',
  removed_by_source: ({ url }) => `Its source, ${url}, removed it.`,
  proof_gained: ({ host, by, names }) => `${host} was found to name ${PROOF_NAME[names]} ${PROOF_PLACE[by]}.`,
  proof_missing: ({ host, count }) =>
    `${host} stopped proving it: no proof was found there ${count} times in a row.`,
  proof_of_others: ({ host }) => `${host} stopped proving it: its proof named only others.`,
  hidden_by_operator: ({ why }) => `An operator hid this service. Reason: ${why}`,
  unhidden_by_operator: 'An operator made it visible again.',
  retired: ({ message }) =>
    message ? `Its owner took it out of service: ${message}` : 'Whoever listed it took it out of service.',
  failed_in_a_row: ({ count, seen }, tell) =>
    [`${count} probes in a row failed.`, ...seen.map(tell)].join(' '),
  refused_in_a_row: ({ count, seen }, tell) =>
    [`${count} probes in a row were refused, so it could no longer be verified.`, ...seen.map(tell)].join(
      ' ',
    ),
  verified_at_risk: ({ left, seen }, tell) =>
    [
      `A probe failed. ${left === 1 ? 'One more failure' : `${left} more failures`} in a row would end “Verified”.`,
      ...seen.map(tell),
    ].join(' '),
  answered_again: ({ count, seen }, tell) =>
    [`It answered ${count} probes in a row after a failure.`, ...seen.map(tell)].join(' '),
  pay_to_changed: ({ before, after }) =>
    `The address that it asks to pay changed from ${payees(before)} to ${payees(after)}.`,
  further_payee: ({ before, after }) =>
    `The address that it asks to pay on a network other than the listed one changed from ${payees(before)} to ${payees(after)}.`,
  price_changed: ({ before, after }) =>
    `The price that it asks for changed from ${before} to ${after} per request.`,
  scheme_changed: ({ before, after }) =>
    `The payment scheme changed from ${before.join(', ') || 'none'} to ${after.join(', ') || 'none'}.`,
  paid_upfront: ({ all }) =>
    `${all ? 'It' : 'One of its payment options'} takes the payment before it delivers: if nothing is delivered, the payment is lost.`,
  paid_by_deposit: ({ scheme }) =>
    `The scheme ${scheme} takes a deposit. Check how much is taken and when the rest is returned.`,
  not_by_default_client: ({ why }) =>
    `The official x402 clients refuse to pay it by default, because ${CLIENT_REFUSAL[why]}.`,
  way_unsignable: ({ why }) =>
    `One of its payment options cannot be signed by any official x402 client, because ${CLIENT_REFUSAL[why]}.`,
  needs_deposit: ({ all }) =>
    `${all ? 'It' : 'One of its payment options'} is paid from a balance that must be deposited at Circle's Gateway first.${all ? ' Its provider can offer a plain exact payment as well.' : ''}`,
  mpp_only: 'It is paid by MPP alone: clients of x402 cannot pay it, and this directory does not buy by MPP.',
  mpp_offers: ({ offers }) =>
    `By MPP it also offers ${offers.join(', ')}, which is not compared with the listing.`,
  terms_never_seen: 'Its endpoint has not yet answered with readable terms.',
  asks_other_wallet: ({ payTo, listed }) =>
    `Its endpoint asks for payment to a wallet other than the listed ${listed}: ${payees(payTo)}. Do not pay.`,
  asks_other_network: ({ networks, listed }) =>
    `Its endpoint asks for no payment on the listed network ${listed}, but on ${networks.join(', ') || 'none'}.`,
  seen_asking: ({ price, listed, isMore }) =>
    `Its endpoint asks for ${price} per request, ${isMore ? 'more' : 'less'} than the listed ${listed}.`,
  schema_changed: ({ method }) => `The input or output schema of its ${method} request changed.`,

  sample: 'This is an invented sample: nobody offers this service, and it is never probed.',
  not_measured: 'It has not been measured yet.',
  not_probed: 'It has not been probed yet.',
  host_reserved: 'Its host is reserved for examples and tests, so it is never probed.',
  speed: ({ probes, fast, fastMs, fair, fairSeconds }) =>
    `${fast} of ${counted(probes)} were answered within ${fastMs} ms.${fair > 0 ? ` ${fair} more were answered within ${fairSeconds} s and count half.` : ''}`,
  age_since_registration: ({ days: count, fullDays }) =>
    count === 0
      ? `It has not answered as listed for a day yet. ${fullDays} days give full points.`
      : `Its last answer as listed came ${days(count)} after its registration. ${fullDays} days give full points.`,
  age_since_move: ({ days: count, fullDays }) =>
    count === 0
      ? `It has not answered as listed for a day since its last move. ${fullDays} days give full points.`
      : `Its last answer as listed came ${days(count)} after its last move. ${fullDays} days give full points.`,
  payers_unknown: 'This directory does not count payments on its networks, so its payers are not known.',
  payers_unclaimed: ({ settlements, payers }) =>
    `${counted(settlements, 'payment')} by ${counted(payers, 'wallet')} settled on chain. They give points once the wallet that is paid claims the service with a signature.`,
  payers: ({ counted: counting, payers, fullPayers, inRing, tooSmall, largestPercent }) => {
    const left = [
      ...(inRing > 0 ? [`${inRing} received money from it, directly or through others that it paid`] : []),
      ...(tooSmall > 0 ? [`${tooSmall} paid too little in total`] : []),
      ...(largestPercent > 0 ? [`one paid ${largestPercent}% of the rest`] : []),
    ]
    const tail = left.length > 0 ? ` Not counted: ${left.join(', ')}.` : ''
    return `${counted(payers, 'wallet')} paid it on chain, and ${counting} of them ${counting === 1 ? 'counts' : 'count'}. ${fullPayers} give full points.${tail}`
  },
  counts_in_part: ({ percent, provingPayers }) =>
    `Uptime, stability, latency and age give ${percent}% of their points for now. They give all of them once ${provingPayers} unrelated wallets have paid.`,
  counts_in_part_unread: ({ percent }) =>
    `Uptime, stability, latency and age give ${percent}% of their points, because this directory does not count payments on its networks.`,
  earlier_formula: 'This score was computed with an earlier formula; the next probe recomputes it.',
  never_verifiable: ({ problem }, tell) => `It can never be verified with this address. ${tell(problem)}`,
  verified:
    'Its endpoint asks to pay the listed address on the listed network, and no more than the listed price.',
  failing: 'The last probes failed. Two answers in a row bring it back.',
  verified_from: ({ at }) =>
    `It answers as listed again. It stopped doing so twice within a week, so it can be verified again from ${at}.`,
  not_as_registered:
    'The endpoint does not ask for the listed address, network and price. The history shows what it answers.',
  uptime: ({ answered, probes }) =>
    `It answered ${answered} of ${counted(probes)}. Points grow with that share and with the number of probes.`,
  stability: ({ probes, asListed, otherPrice, mismatched, mismatchWeight }) => {
    const also = [
      ...(otherPrice > 0 ? [`${otherPrice} found a lower price`] : []),
      ...(mismatched > 0
        ? [
            `${mismatched} found another address, another network or a higher price${mismatched === 1 ? ', which counts' : '; each of these counts'} as ${mismatchWeight} failed probes`,
          ]
        : []),
    ]
    return [
      `${asListed} of ${counted(probes)} found the listed address and exactly the listed price`,
      ...also,
    ]
      .map(sentence => `${sentence}.`)
      .join(' ')
  },

  address_malformed: ({ address, network, shape }) =>
    `${quoted(address)} is not an address on ${network}: an address there is ${SHAPE[shape]}.`,
  address_of_nobody: ({ address, network }) =>
    `${quoted(address)} is an address on ${network} that has no private key: payments to it are lost.`,
}
