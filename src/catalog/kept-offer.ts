// What a reason tells of a service, read from its kept JSON: the terms at once, the texts where they are asked for.
import type { Service } from '../domain/service.ts'
import type { Offered } from '../search/explain.ts'

/** No text can hold this: its quotation marks would be escaped. */
const PRICING = Buffer.from('"pricing":{')
const TERMS =
  /^"pricing":\{"currency":"([^"\\]*)","pricePerRequest":"([^"\\]*)","freeQuota":(\d+)\},"x402Config":\{"paymentAddress":"[^"\\]*","network":"([^"\\]*)"\},"trustScore":\d+,"status":"(\w+)"/

/** @param decode reads the whole service; costly */
export function readOffer(bytes: Buffer, decode: () => Service): Offered {
  const found = TERMS.exec(bytes.toString('utf8', bytes.indexOf(PRICING)))
  return found ? new KeptOffer(found, decode) : decode()
}

class KeptOffer implements Offered {
  readonly pricing: Offered['pricing']
  readonly x402Config: Offered['x402Config']
  readonly status: Offered['status']
  readonly #decode: () => Service
  #whole: Service | undefined

  constructor(found: RegExpExecArray, decode: () => Service) {
    this.pricing = { currency: found[1]!, pricePerRequest: found[2]!, freeQuota: Number(found[3]) }
    this.x402Config = { network: found[4]! }
    this.status = found[5] as Offered['status']
    this.#decode = decode
  }

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
    this.#whole ??= this.#decode()
    return this.#whole
  }
}
