// Errors of nodes, by what helps against them.

/** refused: a smaller range may succeed; slow: a smaller range or waiting; unavailable: only waiting. */
export type NodeTrouble = 'refused' | 'slow' | 'unavailable'

export class NodeError extends Error {
  override readonly name = 'NodeError'

  constructor(
    readonly trouble: NodeTrouble,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Removes the API keys that providers put into the path or query. */
export function withoutSecrets(text: string, url: string): string {
  const { href, pathname, searchParams, username, password } = new URL(url)
  const parts = [url, href, username, password, ...pathname.split('/'), ...searchParams.values()]
  return parts
    .filter(part => part.length >= 6)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, part) => clean.replaceAll(part, '…'), text)
}
