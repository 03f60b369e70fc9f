/**
 * Whether a signed URL names the place. Ignores the scheme, which servers behind a proxy do not know, and the query,
 * which is the caller's.
 * @param tool of an MCP server: its URL does not name the server, so that only the signer identifies it
 */
export function isSamePlace(signed: string, place: URL, tool?: string): boolean {
  if (tool !== undefined && signed === toolUrl(tool)) return true
  const named = URL.parse(signed)
  return named !== null && hostOf(named) === hostOf(place) && pathOf(named) === pathOf(place)
}

const hostOf = ({ hostname, port, protocol }: URL): string => {
  // The scheme is ignored, so its default port is too.
  const isUsual =
    port === '' || (protocol === 'http:' && port === '80') || (protocol === 'https:' && port === '443')
  return `${hostname.replace(/\.$/, '')}${isUsual ? '' : `:${port}`}`
}

const pathOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '')

/** The URL of a tool as MCP servers sign it. */
export const toolUrl = (tool: string): string => `mcp://tool/${tool}`
