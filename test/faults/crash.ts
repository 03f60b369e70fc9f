// Kills a directory in the middle of concurrent registrations, starts it again, and compares what it says with what it had promised.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { type Registration, register, registration, startServing } from './serving.ts'

type Service = { readonly id: string; readonly name: string }

export type CrashOptions = {
  readonly databaseUrl: string
  /** Tells the registrations of this round from those of others. */
  readonly round: number
  readonly clients: number
  /** The process is killed once it has answered so many. */
  readonly answers: number
}

export type CrashResult = {
  /** Answered 201 before the end. */
  readonly promised: number
  /** Sent, and not answered any more. */
  readonly unanswered: number
  /** Kept all the same. */
  readonly keptUnanswered: number
}

/** @throws AssertionError where a promise is broken. */
export async function crash({ databaseUrl, round, clients, answers }: CrashOptions): Promise<CrashResult> {
  await using before = await startServing(databaseUrl)
  const known = await count(before.url)
  const promised = new Map<Registration, string>()
  const unanswered: Registration[] = []
  let next = 0
  const client = async () => {
    for (;;) {
      const sent = registration(`round-${round}-number-${next++}`)
      // A connection that breaks is the crash; anything that is answered must be a promise.
      const answer = await register(before.url, sent)
        .then(async response => ({ status: response.status, text: await response.text() }))
        .catch(() => undefined)
      if (!answer) return void unanswered.push(sent)
      equal(answer.status, 201)
      promised.set(sent, answer.text)
      if (promised.size === answers) void before.kill()
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  await before.kill()

  await using after = await startServing(databaseUrl)
  const keptUnanswered = await compareKept(after.url, known, promised, unanswered)
  await compareRetries(after.url, promised, unanswered)
  equal(await count(after.url), known + promised.size + unanswered.length)
  return { promised: promised.size, unanswered: unanswered.length, keptUnanswered }
}

/** Every promise is kept to the byte, in every read; beyond them there is only what was on its way. */
async function compareKept(
  url: string,
  known: number,
  promised: ReadonlyMap<Registration, string>,
  unanswered: readonly Registration[],
): Promise<number> {
  const { endpoints } = (await (await fetch(`${url}/api/export`)).json()) as { endpoints: Service[] }
  const exported = new Map(endpoints.map(service => [service.name, service]))
  equal(exported.size, endpoints.length, 'an entry is there twice')
  equal(endpoints.length, await count(url))
  for (const [{ key }, text] of promised) {
    const { id } = JSON.parse(text) as Service
    equal(exported.get(key)?.id, id, `${key} is lost`)
    equal(await (await fetch(`${url}/api/services/${id}`)).text(), text)
    equal((await fetch(`${url}/api/services/${id}/status`)).status, 200)
  }
  const kept = unanswered.filter(({ key }) => exported.has(key))
  for (const { key, body } of kept) {
    const service = await (await fetch(`${url}/api/services/${exported.get(key)!.id}`)).json()
    deepEqual({ ...(service as object), ...JSON.parse(body) }, service, `${key} is not whole`)
  }
  equal(endpoints.length, known + promised.size + kept.length)
  return kept.length
}

/** An idempotency key holds across the end of the process: the same body gets the first answer, another one none. */
async function compareRetries(
  url: string,
  promised: ReadonlyMap<Registration, string>,
  unanswered: readonly Registration[],
): Promise<void> {
  for (const [sent, text] of promised) {
    const again = await register(url, sent)
    deepEqual([again.status, await again.text()], [201, text])
  }
  for (const sent of unanswered) equal((await register(url, sent)).status, 201)
  const [[sent] = []] = promised
  ok(sent)
  equal((await register(url, { ...sent, body: registration('another').body })).status, 409)
}

const count = async (url: string): Promise<number> =>
  Number((await fetch(`${url}/api/services?limit=1`)).headers.get('x-total-count'))
