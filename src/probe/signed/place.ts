/**
 * Whether a signed URL names the place: servers behind a proxy do not know their own scheme, and queries are the caller's.
 * @param tool of an MCP server: the transport names it without its server, so that the signer alone says whose it is
 */
export function isSamePlace(signed: string, place: URL, tool?: string): boolean {
  if (tool !== undefined && signed === toolUrl(tool)) return true
  const named = URL.parse(signed)
  return named !== null && hostOf(named) === hostOf(place) && pathOf(named) === pathOf(place)
}

const hostOf = ({ hostname, port, protocol }: URL): string => {
  // What a scheme has as its usual port is no part of the comparison, because the scheme is none.
  const isUsual =
    port === '' || (protocol === 'http:' && port === '80') || (protocol === 'https:' && port === '443')
  return `${hostname.replace(/\.$/, '')}${isUsual ? '' : `:${port}`}`
}

const pathOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '')

/** As servers name a tool that has no URL of its own. */
export const toolUrl = (tool: string): string => `mcp://tool/${tool}`
