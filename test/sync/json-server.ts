// Servers of JSON that the test decides: other directories and lists, honest or not.

type Answer = (url: URL) => unknown

/** Answers JSON, or 404 for undefined; the answer can be changed. */
export function serve(first: Answer) {
  let answer = first
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const found = answer(new URL(request.url))
      if (found instanceof Response) return found
      return found === undefined ? new Response(null, { status: 404 }) : Response.json(found)
    },
  })
  return {
    url: server.url.origin,
    change: (to: Answer) => {
      answer = to
    },
    [Symbol.dispose]: () => void server.stop(true),
  }
}

/** Answers one value at one path. */
export const at =
  (path: string, value: unknown): Answer =>
  ({ pathname }) =>
    pathname === path ? value : undefined

/** The feed of another directory, with the changes and the position that it has when it is asked. */
export const serveFeed = (
  read: () => { readonly changes: readonly { readonly seq: number }[]; readonly seq: number },
) =>
  serve(({ pathname, searchParams }) => {
    const { changes, seq } = read()
    if (pathname === '/readyz') return { state: 'ready', seq }
    if (pathname !== '/api/changes') return undefined
    const since = Number(searchParams.get('since'))
    const found = changes.filter(change => change.seq > since).toSorted((a, b) => a.seq - b.seq)
    return { changes: found, next: String(Math.max(since, seq)), caughtUp: true }
  })
