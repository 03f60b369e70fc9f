// Signs messages by the Standard Webhooks specification, so that receivers can verify them with its libraries.
import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'
/** The specification requires 24 to 64. */
const SECRET_BYTES = 32

export const createSecret = (): string =>
  PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')

export type SignedMessage = {
  /** The same for every attempt, so that a receiver recognises duplicates. */
  readonly id: string
  readonly sentAt: Date
  readonly body: string
}

/** The headers that authenticate sender, message and time. */
export function toSignatureHeaders(
  secret: string,
  { id, sentAt, body }: SignedMessage,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
