/**
 * A request to a directory whose database may be too slow for it on a busy machine: whoever is told so comes back. One that changes
 * something has an idempotency key.
 */
export async function askAgain(url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const answer = await fetch(url, init)
    if (answer.status !== 503) return answer
    await answer.text()
    await Bun.sleep(50)
  }
}
