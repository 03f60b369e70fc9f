// The directory's address as shown to readers.
import type { Incoming } from './route.ts'

/**
 * Without a public URL, the host that the client requested, else the listening address. Only for text to copy and uncached responses:
 * the client chooses its Host header.
 */
export const addressFor = ({ request, server }: Incoming, publicUrl: string | undefined): string =>
  publicUrl || (URL.parse(request.url)?.origin ?? server.url.origin)
