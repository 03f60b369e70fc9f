import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { hashKey, type Keyring, mintKey, openKeyring } from '../../src/directory/keys.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { KeyTable } from '../../src/store/keys.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { temporaryPath } from '../store/temporary-path.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('a minted key', () => {
  test('has its prefix, 32 random characters, and a checksum that a scanner can recompute', () => {
    for (let i = 0; i < 200; i++) {
      const [, secret, checksum] = /^shb_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(mintKey())!
      const value = [...checksum!].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0)
      expect(value).toBe(Bun.hash.crc32(secret!))
    }
  })

  test('draws every character equally often', () => {
    const counts = new Map<string, number>()
    const keys = 4_000
    for (let i = 0; i < keys; i++) {
      for (const character of mintKey().slice(4, 36)) {
        counts.set(character, (counts.get(character) ?? 0) + 1)
      }
    }
    expect(counts.size).toBe(62)
    // Taking a byte modulo 62 would give eight characters a quarter more; chance strays about 2 % here, and 15 % never.
    const expected = (keys * 32) / 62
    for (const count of counts.values()) expect(Math.abs(count - expected) / expected).toBeLessThan(0.15)
  })
})

test('the hash of a key is its SHA-256 in hexadecimal digits', () => {
  expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

describe('a keyring', () => {
  let clock: ManualClock
  let path: string
  let store: Store
  let ring: Keyring
  let finds: number
  /** The real table, with its questions counted. */
  const counted = (keys: KeyTable): KeyTable => ({
    ...keys,
    find: hash => {
      finds++
      return keys.find(hash)
    },
  })
  const ringOf = (of: Store) => openKeyring({ keys: counted(of.keys), clock, extraKeys: ['from-settings'] })
  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      error => error,
    )
  const register = (parts = {}) =>
    ring.create({ name: 'Somebody', scopes: ['register'], expiresAt: null, ...parts })

  beforeEach(async () => {
    finds = 0
    clock = new ManualClock()
    path = temporaryPath('store.db')
    store = await openStore(`sqlite:${path}`, { clock: systemClock })
    ring = ringOf(store)
  })
  afterEach(() => store[Symbol.asyncDispose]())

  test('accepts a created key and stores only its hash', async () => {
    const { key, record } = await register({ name: '  A name ' })
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9a-hjkmnp-tv-z]{10}$/),
      name: 'A name',
      hash: hashKey(key),
      scopes: ['register'],
      wallet: null,
      createdAt: '2026-11-01T12:00:00.000Z',
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      policy: null,
    })
    expect(await ring.list()).toEqual([record])
    expect(await ring.authorize(key, 'register')).toEqual({
      id: record.id,
      scopes: ['register'],
      wallet: null,
      owner: record.id,
      policy: null,
    })
  })

  test('all keys of a wallet are one owner, and can be listed; any other key is its own owner', async () => {
    const wallet = 'eip155:0x1111111111111111111111111111111111111111'
    const keys = [await register({ wallet }), await register({ wallet })]
    const other = await register()
    const callers = await Promise.all([...keys, other].map(({ key }) => ring.authorize(key, 'register')))
    expect(callers.map(({ owner }) => owner)).toEqual([wallet, wallet, other.record.id])
    const ids = async (index: number) => (await ring.listOf(callers[index]!)).map(({ id }) => id).sort()
    expect(await ids(0)).toEqual(keys.map(({ record }) => record.id).sort())
    expect(await ids(2)).toEqual([other.record.id])
  })

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'a'.repeat(101) }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ scopes: [] }, 'scopes'],
  ])('refuses to create %p', async (parts, path) => {
    const error = await errorOf(register(parts))
    expect(error).toMatchObject({ code: 'invalid_request', problems: [{ path }] })
  })

  test('advises on a missing, unknown or malformed key without repeating it', async () => {
    const { key } = await register()
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
    const sentences = new Set<string>()
    for (const token of [undefined, '', wrong, 'short', `${key} `, 'x'.repeat(129), '鍵'.repeat(10)]) {
      const error = await errorOf(ring.authorize(token, 'register'))
      expect(error).toMatchObject({ code: 'unauthorized' })
      expect(error.message).toMatch(/API key.*[;.] .+\.$/)
      if (token) expect(error.message).not.toContain(token)
      sentences.add(error.message)
    }
    expect(sentences.size).toBe(2)
  })

  test('a key with a wrong checksum is still looked up', async () => {
    const key = `shb_${'a'.repeat(38)}`
    const { record } = await register()
    await store.keys.insert({ ...record, id: 'key_other', hash: hashKey(key) })
    expect(await ring.authorize(key, 'register')).toMatchObject({ id: 'key_other' })
  })

  test('admin includes register; register does not include admin', async () => {
    const admin = await register({ scopes: ['admin'] })
    const plain = await register()
    expect((await ring.authorize(admin.key, 'register')).scopes).toEqual(['admin'])
    await ring.authorize(admin.key, 'admin')
    const error = await errorOf(ring.authorize(plain.key, 'admin'))
    expect(error).toMatchObject({ code: 'forbidden' })
    expect(error.message).toContain('lacks the scope "admin"')
  })

  test('a key from the settings can only register, and its id does not reveal it', async () => {
    const id = `env_${hashKey('from-settings').slice(0, 12)}`
    expect(await ring.authorize('from-settings', 'register')).toEqual({
      id,
      scopes: ['register'],
      wallet: null,
      owner: id,
      policy: null,
    })
    expect(ring.peek('from-settings')?.id).toBe(id)
    expect(await errorOf(ring.authorize('from-settings', 'admin'))).toMatchObject({ code: 'forbidden' })
    expect(finds).toBe(0)
  })

  test.each(['short', 'with space', 'x'.repeat(129)])('%p cannot be a key from the settings', key => {
    expect(() => openKeyring({ keys: store.keys, clock, extraKeys: [key] })).toThrow(
      /8 to 128 visible characters/,
    )
  })

  test('an expired key is refused from that very moment on', async () => {
    const { key } = await register({ expiresAt: new Date(clock.now().getTime() + 500) })
    clock.advance(499)
    await ring.authorize(key, 'register')
    expect(ring.peek(key)).toBeDefined()
    clock.advance(1)
    const error = await errorOf(ring.authorize(key, 'register'))
    expect(error).toMatchObject({ code: 'unauthorized' })
    expect(error.message).toContain('has expired')
    expect(ring.peek(key)).toBeUndefined()
  })

  test('a key revoked here is refused at once', async () => {
    const { key, record } = await register()
    await ring.authorize(key, 'register')
    expect(await ring.revoke(record.id)).toBe(true)
    expect((await errorOf(ring.authorize(key, 'register'))).message).toContain('was revoked')
    expect(ring.peek(key)).toBeUndefined()
    expect(await ring.revoke(record.id)).toBe(false)
    expect(await ring.revoke('key_unknown')).toBe(false)
  })

  describe('with another process on the same store', () => {
    let otherStore: Store
    let other: Keyring
    beforeEach(async () => {
      otherStore = await openStore(`sqlite:${path}`, { clock: systemClock })
      other = ringOf(otherStore)
    })
    afterEach(() => otherStore[Symbol.asyncDispose]())

    test('knows a key created there at once, even if it was tried before', async () => {
      const { key, record } = await other.create({ name: 'There', scopes: ['register'], expiresAt: null })
      expect(await ring.authorize(key, 'register')).toMatchObject({ id: record.id })
      const early = mintKey()
      expect(await errorOf(ring.authorize(early, 'register'))).toMatchObject({ code: 'unauthorized' })
      await otherStore.keys.insert({ ...record, id: 'key_early', hash: hashKey(early) })
      expect(await ring.authorize(early, 'register')).toMatchObject({ id: 'key_early' })
    })

    test('refuses a key revoked there within a second', async () => {
      const { key, record } = await register()
      await ring.authorize(key, 'register')
      await other.revoke(record.id)
      clock.advance(1_000)
      expect(await errorOf(ring.authorize(key, 'register'))).toMatchObject({ code: 'unauthorized' })
    })
  })

  test('queries the store once a second for a key in use', async () => {
    const { key } = await register()
    for (let i = 0; i < 5; i++) await ring.authorize(key, 'register')
    expect(finds).toBe(1)
    clock.advance(999)
    await ring.authorize(key, 'register')
    expect(finds).toBe(1)
    clock.advance(1)
    await ring.authorize(key, 'register')
    expect(finds).toBe(2)
  })

  test('a clock that is set back does not keep a key trusted', async () => {
    const { key } = await register()
    await ring.authorize(key, 'register')
    clock.advance(-60_000)
    await ring.authorize(key, 'register')
    expect(finds).toBe(2)
  })

  test('caches a limited number of keys', async () => {
    const { record } = await register()
    const keys = Array.from({ length: 10_050 }, mintKey)
    const insert = (key: string, index: number) =>
      store.keys.insert({ ...record, id: `key_${index}`, hash: hashKey(key) })
    await Promise.all(keys.map(insert))
    for (const key of keys) await ring.authorize(key, 'register')
    expect(keys.filter(key => ring.peek(key)).length).toBe(10_000)
  })

  test('records the last use at most once a minute', async () => {
    const { key } = await register()
    const touches: string[] = []
    const table: KeyTable = {
      ...store.keys,
      touch: (id, at) => {
        touches.push(at.toISOString())
        return store.keys.touch(id, at)
      },
    }
    const noting = openKeyring({ keys: table, clock, extraKeys: [] })
    await noting.authorize(key, 'register')
    clock.advance(59_999)
    await noting.authorize(key, 'register')
    clock.advance(1)
    await noting.authorize(key, 'register')
    expect(touches).toEqual(['2026-11-01T12:00:00.000Z', '2026-11-01T12:01:00.000Z'])
    // Writes are kept in order: once this one is, the note is.
    await store.keys.touch('key_unknown', clock.now())
    // Another process reads when the key was used last, and does not note it again.
    await openKeyring({ keys: table, clock, extraKeys: [] }).authorize(key, 'register')
    expect(touches).toHaveLength(2)
    expect((await ring.list())[0]?.lastUsedAt).toBe('2026-11-01T12:01:00.000Z')
  })

  test('a failure to record the last use neither delays nor rejects a request, and is retried', async () => {
    const { key } = await register()
    let tries = 0
    const failing: KeyTable = {
      ...store.keys,
      touch: async () => {
        tries++
        throw new Error('The disk is full.')
      },
    }
    const noting = openKeyring({ keys: failing, clock, extraKeys: [] })
    await noting.authorize(key, 'register')
    await noting.authorize(key, 'register')
    expect(tries).toBe(2)
  })

  test('an owner is active while its key is valid, a wallet for 90 days after its last sign-in', async () => {
    const { record: own } = await register()
    const wallet = 'eip155:0xab'
    const { record: first } = await register({ wallet })
    const { record: second } = await register({ wallet, expiresAt: new Date(clock.now().getTime() + 1_000) })
    expect(await ring.isActive(own.id)).toBe(true)
    expect(await ring.isActive(wallet)).toBe(true)
    await ring.revoke(own.id)
    expect(await ring.isActive(own.id)).toBe(false)
    await ring.revoke(first.id)
    expect(await ring.isActive(wallet)).toBe(true)
    expect(await ring.expire(second.id)).toBe(true)
    expect(await ring.isActive(wallet)).toBe(true)
    clock.advance(90 * 24 * 3_600_000)
    expect(await ring.isActive(wallet)).toBe(false)
    const { record: third } = await register({ wallet })
    await ring.revoke(third.id)
    expect(await ring.isActive(wallet)).toBe(false)
    expect(await ring.isActive('key_unknown')).toBe(false)
    const { owner } = await ring.authorize('from-settings', 'register')
    expect(await ring.isActive(owner)).toBe(true)
    expect(await openKeyring({ keys: store.keys, clock, extraKeys: [] }).isActive(owner)).toBe(false)
  })

  describe('peek', () => {
    test('has no key at first, and caches a valid key when it is used', async () => {
      const { key, record } = await register()
      expect(ring.peek(key)).toBeUndefined()
      await new Promise<void>(resolve => setImmediate(resolve))
      expect(ring.peek(key)).toMatchObject({ id: record.id, scopes: ['register'] })
    })

    test('never caches an invalid key, and queries the store for such keys at most every 10 ms', async () => {
      for (let i = 0; i < 50; i++) expect(ring.peek(mintKey())).toBeUndefined()
      expect(finds).toBe(1)
      clock.advance(10)
      ring.peek(mintKey())
      expect(finds).toBe(2)
      expect(ring.peek('鍵')).toBeUndefined()
    })

    test('drops a key that was revoked elsewhere soon after its next use', async () => {
      const { key, record } = await register()
      await ring.authorize(key, 'register')
      await store.keys.revoke(record.id, clock.now())
      clock.advance(1_000)
      ring.peek(key)
      await new Promise<void>(resolve => setImmediate(resolve))
      expect(ring.peek(key)).toBeUndefined()
    })
  })
})
