// Where the directory is, as its reader is told.
import type { Exchange } from './route.ts'

/**
 * Where the directory does not know its public address, readers are where they asked, or else at the address that is listened
 * on. Good for text to copy, and for answers that no cache keeps: whoever sends a request chooses its Host.
 */
export const addressFor = ({ request, server }: Exchange, publicUrl: string | undefined): string =>
  publicUrl || (URL.parse(request.url)?.origin ?? server.url.origin)
