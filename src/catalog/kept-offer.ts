// What a reason tells of a service, read from its kept JSON where it lies: the terms at once, the texts where they are asked for.
import type { Service } from '../domain/service.ts'
import { STATUSES, type Status } from '../domain/standing.ts'
import type { Offered } from '../search/ranking/explain.ts'

/** In front of the terms. No text can hold this: its quotation marks would be escaped. */
const BEFORE_CURRENCY = Buffer.from('"pricing":{"currency":"')
/** What stands between the terms, in the order in which `toService` names them. */
const BEFORE_PRICE = '","pricePerRequest":"'.length
const BEFORE_QUOTA = '","freeQuota":'.length
const BEFORE_ADDRESS = '},"x402Config":{"paymentAddress":"'.length
const BEFORE_NETWORK = '","network":"'.length
const BEFORE_TRUST = '"},"trustScore":'.length
const BEFORE_STATUS = ',"status":"'.length

const QUOTE = 0x22
const BACKSLASH = 0x5c
const ZERO = 0x30
const NINE = 0x39
const DELETE = 0x7f
const NOT_PLAIN = -1

/** A status is told by its first letter. */
const STATUS_OF = new Map(STATUSES.map(status => [status.charCodeAt(0), status]))

/**
 * @param start where the JSON of the service begins
 * @param decode reads the whole service; costly
 */
export function readOffer(bytes: Buffer, start: number, decode: () => Service): Offered {
  const currency = bytes.indexOf(BEFORE_CURRENCY, start) + BEFORE_CURRENCY.length
  const currencyEnd = endOfPlain(bytes, currency)
  if (currencyEnd === NOT_PLAIN) return decode()
  const price = currencyEnd + BEFORE_PRICE
  const priceEnd = endOfPlain(bytes, price)
  const quota = priceEnd + BEFORE_QUOTA
  const quotaEnd = endOfDigits(bytes, quota)
  const addressEnd = endOfPlain(bytes, quotaEnd + BEFORE_ADDRESS)
  if (addressEnd === NOT_PLAIN) return decode()
  const network = addressEnd + BEFORE_NETWORK
  const networkEnd = endOfPlain(bytes, network)
  if (networkEnd === NOT_PLAIN) return decode()
  const status = endOfDigits(bytes, networkEnd + BEFORE_TRUST) + BEFORE_STATUS
  return new KeptOffer(
    {
      currency: bytes.toString('latin1', currency, currencyEnd),
      pricePerRequest: bytes.toString('latin1', price, priceEnd),
      freeQuota: numberIn(bytes, quota, quotaEnd),
    },
    { network: bytes.toString('latin1', network, networkEnd) },
    STATUS_OF.get(bytes[status]!)!,
    decode,
  )
}

/** Where a text ends that is written as it is read. */
function endOfPlain(bytes: Buffer, start: number): number {
  for (let at = start; ; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) return at
    if (byte === BACKSLASH || byte >= DELETE) return NOT_PLAIN
  }
}

function endOfDigits(bytes: Buffer, start: number): number {
  let at = start
  while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++
  return at
}

function numberIn(bytes: Buffer, start: number, end: number): number {
  let number = 0
  for (let at = start; at < end; at++) number = 10 * number + (bytes[at]! - ZERO)
  return number
}

class KeptOffer implements Offered {
  #whole: Service | undefined

  constructor(
    readonly pricing: Offered['pricing'],
    readonly x402Config: Offered['x402Config'],
    readonly status: Status,
    readonly decode: () => Service,
  ) {}

  get name(): string {
    return this.#read().name
  }

  get description(): string {
    return this.#read().description
  }

  get category(): string {
    return this.#read().category
  }

  #read(): Service {
    this.#whole ??= this.decode()
    return this.#whole
  }
}
