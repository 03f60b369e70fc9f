// What went wrong at a node, sorted by what helps against it.

/** refused: a smaller range may pass; slow: that and waiting; away: waiting alone. */
export type NodeTrouble = 'refused' | 'slow' | 'away'

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

/** Providers put the key of an account into the path or the query. */
export function withoutSecrets(text: string, url: string): string {
  const { href, pathname, searchParams, username, password } = new URL(url)
  const parts = [url, href, username, password, ...pathname.split('/'), ...searchParams.values()]
  return parts
    .filter(part => part.length >= 6)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, part) => clean.replaceAll(part, '…'), text)
}
