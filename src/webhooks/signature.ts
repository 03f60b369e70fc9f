// Signs what is sent by the Standard Webhooks convention, so that a receiver can verify it with any library of that name.
import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'
/** The convention asks for 24 to 64. */
const SECRET_BYTES = 32

export const createSecret = (): string =>
  PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')

export type Signed = {
  /** The same for every try of one message: by it a receiver knows what it has seen. */
  readonly id: string
  readonly sentAt: Date
  readonly body: string
}

/** The headers by which a receiver knows the sender, the message and the moment. */
export function toSignatureHeaders(secret: string, { id, sentAt, body }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
