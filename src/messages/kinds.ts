// The types of message values. A part is one of a closed list of words, translated in every language.

export const PARTS = {
  party: ['owner', 'operator', 'source'],
  change: ['place', 'payment_address', 'price', 'listing'],
  visible_text: [
    'currency_code',
    'wallet_address',
    'network_name',
    'network',
    'chain',
    'asset',
    'payment_scheme',
    'resource_kind',
    'extensions',
    'signature',
    'transaction',
    'id',
  ],
  allowance: ['check', 'test_delivery', 'probe'],
  webhook_filter: ['category', 'chain', 'service'],
  resource: ['service', 'webhook', 'key', 'report'],
  proof_place: ['well_known', 'dns'],
  proof_name: ['wallet', 'id'],
  certificate: [
    'expired',
    'not_yet_valid',
    'self_signed',
    'self_signed_chain',
    'incomplete_chain',
    'unknown_authority',
    'other_name',
    'no_tls',
  ],
  header_content: ['json', 'other'],
  address_shape: [
    'evm',
    'not_evm',
    'solana',
    'algorand',
    'hex_account',
    'hedera',
    'near',
    'stellar',
    'ton',
    'tron',
    'xrpl',
  ],
  address_block: [
    'this_network',
    'private',
    'carrier',
    'loopback',
    'link_local_metadata',
    'protocol',
    'documentation',
    'relay_6to4',
    'benchmark',
    'multicast',
    'broadcast',
    'reserved',
    'cloud_metadata',
    'unspecified',
    'loopback_ipv6',
    'nat64',
    'teredo',
    'tunnel_6to4',
    'unique_local',
    'link_local',
    'site_local',
  ],
  unverified_cause: ['unseen', 'network', 'payee', 'price', 'delivery', 'probes'],
  client_refusal: ['asset', 'price', 'flow', 'domain', 'deposit', 'transfer', 'several'],
  challenge_fault: ['syntax', 'parameters', 'request', 'splits'],
  cap: ['call', 'service', 'host', 'payee', 'day'],
  purchase_outcome: [
    'delivered',
    'delivered_not_as_declared',
    'refused_after_payment',
    'charged_other',
    'settled_silent',
    'not_settled',
  ],
  check: [
    'url',
    'public_address',
    'reachable',
    'answers_402',
    'readable_terms',
    'network',
    'address',
    'other_payees',
    'price',
  ],
} as const

export type PartName = keyof typeof PARTS
export type Part<P extends PartName> = (typeof PARTS)[P][number]
export type PartWords<P extends PartName> = Readonly<Record<Part<P>, string>>

/**
 * `text?` is null or absent if there is nothing to name. `code?` is a code of another program, such as ECONNREFUSED, and `units` an amount
 * in the smallest units of an asset: both are for programs. A sentence never has the one, and the other only if the price is unknown.
 */
export type Kind =
  | 'text'
  | 'text?'
  | 'code?'
  | 'units'
  | 'number'
  | 'flag'
  | 'texts'
  | 'message'
  | 'messages'
  | PartName

/** The names of a message's values, each with its kind. */
export type Shape = Readonly<Record<string, Kind>>
