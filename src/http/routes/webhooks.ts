// Webhooks over HTTP. Their answers are for their owner alone, so nobody may keep them.
import type { Directory } from '../../directory/directory.ts'
import { JSON_TYPE } from '../pipeline/answer.ts'
import { authorizeToChange, authorizeToRegister, type KeyCheck } from '../pipeline/auth.ts'
import { readJsonObject } from '../pipeline/body.ts'
import type { ReadOrigin } from '../pipeline/caller.ts'
import { toFieldsHeader } from '../pipeline/header-text.ts'
import { queryOf, refuseParameters } from '../pipeline/query-string.ts'
import type { Answer, Exchange, Route } from '../pipeline/route.ts'

const WEBHOOKS = '/api/webhooks'

export function createWebhookRoutes({
  directory,
  keys,
  publicUrl,
  readOrigin,
}: {
  readonly directory: Directory
  readonly keys: KeyCheck
  readonly readOrigin: ReadOrigin
  /** What stands before the path in links; empty: links are relative. */
  readonly publicUrl: string
}): Route[] {
  const address = `${publicUrl}${WEBHOOKS}`
  const idOf = (request: Exchange['request']): string => (request.params as { id: string }).id
  return [
    {
      path: WEBHOOKS,
      methods: {
        GET: async ({ request }) => {
          const key = await authorizeToRegister(request, keys)
          refuseParameters(queryOf(request.url))
          const webhooks = await directory.listWebhooks({ key })
          return answer(200, webhooks, {
            Link: `<${address}>; rel="first", <${address}>; rel="last"`,
            'X-Total-Count': String(webhooks.length),
          })
        },
        POST: async exchange => {
          const { request } = exchange
          const key = await authorizeToRegister(request, keys)
          const body = await readJsonObject(request)
          refuseParameters(queryOf(request.url))
          const from = readOrigin(exchange)
          const { webhook, ignored } = await directory.createWebhook(body, { key, from })
          return answer(201, webhook, {
            Location: `${address}/${webhook.id}`,
            ...(ignored.length > 0 && { 'X-Ignored-Fields': toFieldsHeader(ignored) }),
          })
        },
      },
    },
    {
      path: `${WEBHOOKS}/:id`,
      methods: {
        DELETE: async ({ request }) => {
          const by = await authorizeToChange(request, keys)
          refuseParameters(queryOf(request.url))
          await directory.removeWebhook(idOf(request), by)
          return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }
        },
      },
    },
    {
      path: `${WEBHOOKS}/:id/test`,
      methods: {
        POST: async ({ request }) => {
          const by = await authorizeToChange(request, keys)
          refuseParameters(queryOf(request.url))
          return answer(200, await directory.testWebhook(idOf(request), by))
        },
      },
    },
  ]
}

const answer = (status: number, value: unknown, extra: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...extra },
  body: JSON.stringify(value),
})
