// Parses the envelope of the offer-receipt extension in both formats, within limits and without verifying it.
import { z } from 'zod'
import { isRecord, type JsonRecord } from '../../domain/json/json-record.ts'
import { type Message, say } from '../../messages/message.ts'

export type SignedObject =
  | { readonly format: 'eip712'; readonly payload: JsonRecord; readonly signature: `0x${string}` }
  | {
      readonly format: 'jws'
      readonly payload: JsonRecord
      readonly alg: string
      /** A DID with the name of one of its keys. */
      readonly kid: string
      /** A key included in the header; it proves only that the signer has the key. */
      readonly jwk: JsonRecord | undefined
      readonly signed: Uint8Array
      readonly signature: Uint8Array
    }

/** A did:jwk of a large key has 400 characters, an offer 500. */
const MAX_PART = 4_096
const MAX_KID = 1_024
const PART = /^[A-Za-z0-9_-]+$/

/** @param sent parsed and untrusted */
export function readSigned(sent: unknown): SignedObject | Message {
  if (!isRecord(sent)) return unreadable('format')
  const { format, payload, signature } = sent
  if (format === 'eip712') {
    if (!isRecord(payload)) return unreadable('payload')
    if (typeof signature !== 'string' || !/^0x[0-9a-f]{130}$/i.test(signature)) return unreadable('signature')
    return { format, payload, signature: signature as `0x${string}` }
  }
  return format === 'jws' ? readJws(signature) : unreadable('format')
}

function readJws(text: unknown): SignedObject | Message {
  const parts = typeof text === 'string' && text.length <= 3 * MAX_PART ? text.split('.') : []
  if (parts.length !== 3 || !parts.every(part => part.length <= MAX_PART && PART.test(part)))
    return unreadable('signature')
  const [header, payload] = [parseJson(parts[0]!), parseJson(parts[1]!)]
  if (!isRecord(header)) return unreadable('signature')
  const { alg, kid, jwk, crit } = header
  if (typeof alg !== 'string') return unreadable('alg')
  if (typeof kid !== 'string' || kid.length > MAX_KID) return unreadable('kid')
  // Unknown critical extensions must be rejected: RFC 7515, 4.1.11.
  if (crit !== undefined) return unreadable('crit')
  if (!isRecord(payload)) return unreadable('payload')
  return {
    format: 'jws',
    payload,
    alg,
    kid,
    jwk: isRecord(jwk) ? jwk : undefined,
    signed: new TextEncoder().encode(`${parts[0]}.${parts[1]}`),
    signature: new Uint8Array(Buffer.from(parts[2]!, 'base64url')),
  }
}

const text = (max: number) => z.string().min(1).max(max)
const seconds = z.int().min(0)

const offerSchema = z.object({
  version: z.literal(1),
  resourceUrl: text(2_048),
  scheme: text(64),
  network: text(128),
  asset: text(128),
  payTo: text(128),
  amount: z.string().regex(/^\d{1,78}$/),
  validUntil: seconds.optional(),
})
export type OfferPayload = z.output<typeof offerSchema>

const receiptSchema = z.object({
  version: z.literal(1),
  network: text(128),
  resourceUrl: text(2_048),
  payer: text(128),
  issuedAt: seconds,
  /** Empty means absent; the signature covers both alike, so they must be one receipt. */
  transaction: z
    .string()
    .max(128)
    .optional()
    .transform(transaction => transaction || undefined),
})
export type ReceiptPayload = z.output<typeof receiptSchema>

export const readOffer = ({ payload }: SignedObject): OfferPayload | Message => read(offerSchema, payload)
export const readReceipt = ({ payload }: SignedObject): ReceiptPayload | Message =>
  read(receiptSchema, payload)

function read<T>(schema: z.ZodType<T>, payload: JsonRecord): T | Message {
  const parsed = schema.safeParse(payload)
  return parsed.success ? parsed.data : unreadable(String(parsed.error.issues[0]?.path[0] ?? 'payload'))
}

const unreadable = (field: string) => say('signed_unreadable', { field })

function parseJson(part: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url')))
  } catch {
    return undefined
  }
}
