import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Directory } from '../../src/directory/directory.ts'
import type { DirectoryError } from '../../src/domain/errors.ts'
import {
  bazaarListQuerySchema,
  bazaarSearchQuerySchema,
  parseBazaarQuery,
} from '../../src/domain/formats/bazaar.ts'
import { parseHistoryQuery } from '../../src/domain/queries/queries.ts'
import { createClient } from '../../src/http/client/client.ts'
import { describeDirectory, draft, type Opened, openSampleApp } from './directory.ts'

const reach = ({ app }: Opened) => createClient({ url: app.urls[0]! })
describeDirectory('over HTTP', reach)

describe('in process and over HTTP', () => {
  let opened: Opened
  let near: Directory
  let far: Directory
  beforeAll(async () => {
    opened = await openSampleApp()
    near = opened.app.directory
    far = reach(opened)
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  test('give the same lists in the format of x402', async () => {
    const list = parseBazaarQuery(bazaarListQuerySchema)({ network: 'base', limit: 3 })
    expect(await far.resources(list)).toEqual(await near.resources(list))
    const search = parseBazaarQuery(bazaarSearchQuerySchema)({ query: 'weather', limit: 2, cursor: '1' })
    expect(await far.searchResources(search)).toEqual(await near.searchResources(search))
  })

  test('return the same errors, in the same words', async () => {
    const told = async (ask: (directory: Directory) => Promise<unknown>) => {
      const [a, b] = await Promise.all(
        [near, far].map(directory =>
          ask(directory).then(
            () => undefined,
            // What is said in other languages does not travel: each interface has its own.
            ({ code, message, problems }: DirectoryError) => ({
              code,
              message,
              problems: problems.map(({ path, message }) => ({ path, message })),
            }),
          ),
        ),
      )
      expect(a).toBeDefined()
      expect(b).toEqual(a)
    }
    await told(directory => directory.get('svc_unknown'))
    await told(directory => directory.status('svc_unknown'))
    await told(directory => directory.history('svc_unknown', parseHistoryQuery({})))
    await told(directory => directory.trust('svc_unknown'))
    await told(directory => directory.check({}, { key: opened.key }))
    await told(directory => directory.check({ endpoint: 'https://tides.example' }, { key: opened.key }))
    await told(directory => directory.register(draft, { key: 'unknown-key' }))
    await told(directory => directory.register({ ...draft, name: '', category: '!' }, { key: opened.key }))
    await told(directory => directory.register({}, { key: opened.key }))
    const { id } = (await near.register(draft, { key: opened.key })).service.decode()
    await told(directory => directory.edit('svc_unknown', {}, { key: opened.key }))
    await told(directory => directory.edit(id, { name: 1, pricing: null }, { key: opened.key }))
    await told(directory => directory.claim(id, { key: opened.key }))
    await told(directory => directory.retire(id, {}, { key: opened.key }))
    await told(directory => directory.challenge({ address: 'x', network: 'base' }))
    await told(directory => directory.signIn({ message: 'x', signature: 'y' }))
    await told(directory => directory.revokeKey('key_x', { key: opened.key }))
    await near.register(draft, { key: opened.key, idempotencyKey: 'same' })
    await told(directory =>
      directory.register({ ...draft, name: 'b' }, { key: opened.key, idempotencyKey: 'same' }),
    )
  })
})
