/**
 * The HTTP clients that customers use, by the headers each sends, in its order and spelling. A slot is filled from the
 * request, and left out if the request has no value for it.
 */

/** A header whose value comes from the request. */
const SLOT = null

export type Client = {
  readonly name: string
  readonly headers: readonly (readonly [name: string, value: string | null])[]
}

/** Node's own fetch, which the official client uses. */
export const NODE: Client = {
  name: 'node',
  headers: [
    ['host', SLOT],
    ['connection', 'keep-alive'],
    ['content-type', SLOT],
    ['accept', '*/*'],
    ['accept-language', '*'],
    ['sec-fetch-mode', 'cors'],
    ['user-agent', 'node'],
    ['accept-encoding', 'gzip, deflate'],
    ['content-length', SLOT],
  ],
}

const CHROME = '150'

export const CLIENTS: readonly Client[] = [
  NODE,
  {
    name: 'axios',
    headers: [
      ['Accept', 'application/json, text/plain, */*'],
      ['Content-Type', SLOT],
      ['User-Agent', 'axios/1.21.1'],
      ['Content-Length', SLOT],
      ['Accept-Encoding', 'gzip, compress, deflate, br'],
      ['Host', SLOT],
      ['Connection', 'keep-alive'],
    ],
  },
  {
    name: 'httpx',
    headers: [
      ['Host', SLOT],
      ['Accept', '*/*'],
      ['Accept-Encoding', 'gzip, deflate'],
      ['Connection', 'keep-alive'],
      ['User-Agent', 'python-httpx/0.28.1'],
      ['Content-Length', SLOT],
      ['Content-Type', SLOT],
    ],
  },
  {
    name: 'requests',
    headers: [
      ['Host', SLOT],
      ['User-Agent', 'python-requests/2.34.2'],
      ['Accept-Encoding', 'gzip, deflate'],
      ['Accept', '*/*'],
      ['Connection', 'keep-alive'],
      ['Content-Length', SLOT],
      ['Content-Type', SLOT],
    ],
  },
  {
    // With keep-alive off, as for a single request.
    name: 'go',
    headers: [
      ['Host', SLOT],
      ['User-Agent', 'Go-http-client/1.1'],
      ['Content-Length', SLOT],
      ['Accept', SLOT],
      ['Content-Type', SLOT],
      ['Accept-Encoding', 'gzip'],
      ['Connection', 'close'],
    ],
  },
  {
    name: 'bun',
    headers: [
      ['Content-Type', SLOT],
      ['Connection', 'keep-alive'],
      ['User-Agent', 'Bun/1.4.4'],
      ['Accept', '*/*'],
      ['Host', SLOT],
      ['Accept-Encoding', 'gzip, deflate, br, zstd'],
      ['Content-Length', SLOT],
    ],
  },
  {
    // A script on a page of the same origin. A page load would get a paywall for people instead of terms.
    name: 'chrome',
    headers: [
      ['Host', SLOT],
      ['Connection', 'keep-alive'],
      ['Content-Length', SLOT],
      ['sec-ch-ua-platform', '"Windows"'],
      [
        'User-Agent',
        `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${CHROME}.0.0.0 Safari/537.36`,
      ],
      ['sec-ch-ua', `"Chromium";v="${CHROME}", "Google Chrome";v="${CHROME}", "Not_A Brand";v="99"`],
      ['Content-Type', SLOT],
      ['sec-ch-ua-mobile', '?0'],
      ['Accept', '*/*'],
      ['Sec-Fetch-Site', 'same-origin'],
      ['Sec-Fetch-Mode', 'cors'],
      ['Sec-Fetch-Dest', 'empty'],
      ['Accept-Encoding', 'gzip, deflate, br, zstd'],
      ['Accept-Language', 'en-US,en;q=0.9'],
    ],
  },
]

/** @param chance from 0 to 1 */
export const drawClient = (chance: number): Client =>
  CLIENTS[Math.min(Math.floor(chance * CLIENTS.length), CLIENTS.length - 1)]!

export const findClient = (name: string | undefined): Client | undefined =>
  CLIENTS.find(client => client.name === name)

/**
 * @param own headers of the request, by lower-case name; those without a slot follow the content type
 * @param userAgent replaces that of the client
 */
export function toHeaders(
  { headers }: Client,
  own: Readonly<Record<string, string>>,
  userAgent?: string,
): Record<string, string> {
  const values: Readonly<Record<string, string>> =
    userAgent === undefined ? own : { ...own, 'user-agent': userAgent }
  const places = new Set(headers.map(([name]) => name.toLowerCase()))
  const further = Object.entries(values).filter(([name]) => !places.has(name))
  const sent = headers.flatMap(([name, value]): [string, string][] => {
    const key = name.toLowerCase()
    // The sender fills in the value, in this position.
    if (key === 'host' || key === 'content-length') return [[name, '']]
    const header = values[key] ?? value
    const own: [string, string][] = header === null ? [] : [[name, header]]
    return key === 'content-type' ? [...own, ...further] : own
  })
  return Object.fromEntries(sent)
}
