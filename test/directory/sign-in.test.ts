// Who may sign in: whoever holds the wallet's key, and nobody by arithmetic.
import { describe, expect, test } from 'bun:test'
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openKeyring } from '../../src/directory/keys.ts'
import { createSignIn, isSignedByEvm, isSignedBySolana } from '../../src/directory/sign-in.ts'
import { accountOf, addressProblem } from '../../src/domain/chains/addresses.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'

const { Point } = ed25519
const ORDER = ed25519.CURVE.n
const HALF_SECP256K1 = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
function toBase58(bytes: Uint8Array): string {
  let text = ''
  for (let number = BigInt(`0x${bytes.toHex()}`); number > 0n; number /= 58n)
    text = BASE58[Number(number % 58n)] + text
  return '1'.repeat(bytes.findIndex(byte => byte !== 0) < 0 ? 32 : bytes.findIndex(byte => byte !== 0)) + text
}

const flipped = (bytes: Uint8Array): Uint8Array => bytes.with(31, bytes[31]! ^ 0x80)
const inHex = (text: string) => Uint8Array.fromHex(text)
/** A point of order eight; its multiples are all points of small order. */
const TORSION = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
const SMALL = Array.from({ length: 8 }, (_, i) => (i === 0 ? Point.ZERO : TORSION.multiply(BigInt(i))))
/** Also those that name the same points with a number beyond the field, or with a sign that zero does not have. */
const SMALL_ENCODINGS = [
  ...SMALL.map(point => point.toBytes()),
  ...['ed', 'ee'].map(first => inHex(`${first}${'ff'.repeat(30)}7f`)),
  ...['ed', 'ee', 'ec'].map(first => inHex(`${first}${'ff'.repeat(31)}`)),
  inHex(`01${'00'.repeat(30)}80`),
]

const toScalarBytes = (number: bigint): Uint8Array =>
  inHex(number.toString(16).padStart(64, '0')).toReversed()
async function challengeOf(r: Uint8Array, a: Uint8Array, message: string): Promise<bigint> {
  const bytes = Buffer.concat([r, a, Buffer.from(message)])
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-512', bytes))
  return BigInt(`0x${hash.toReversed().toHex()}`) % ORDER
}
const messages = Array.from({ length: 32 }, (_, i) => `directory.example wants you to sign in, ${i}`)

describe('A signature on Solana', () => {
  test('of a key of small order is rejected, whatever point it uses', async () => {
    for (const key of SMALL_ENCODINGS)
      for (const point of SMALL_ENCODINGS)
        for (const message of messages.slice(0, 8)) {
          const forged = new Uint8Array([...point, ...new Uint8Array(32)]).toHex()
          expect(await isSignedBySolana(toBase58(key), message, forged)).toBe(false)
        }
  })

  test('with a point of small order is rejected, also for an ordinary key', async () => {
    const secret = 12_345n
    const key = Point.BASE.multiply(secret).toBytes()
    for (const point of SMALL)
      for (const message of messages.slice(0, 8)) {
        const r = point.toBytes()
        const s = toScalarBytes(((await challengeOf(r, key, message)) * secret) % ORDER)
        expect(await isSignedBySolana(toBase58(key), message, new Uint8Array([...r, ...s]).toHex())).toBe(
          false,
        )
      }
  })

  test('of a key shifted by a point of small order is rejected', async () => {
    const secret = 12_345n
    for (const point of SMALL.slice(1)) {
      const key = Point.BASE.multiply(secret).add(point).toBytes()
      for (const message of messages) {
        const r = Point.BASE.multiply(777n).toBytes()
        const s = toScalarBytes((777n + (await challengeOf(r, key, message)) * secret) % ORDER)
        expect(await isSignedBySolana(toBase58(key), message, new Uint8Array([...r, ...s]).toHex())).toBe(
          false,
        )
      }
    }
  })

  test('is accepted only in canonical form, with a scalar below the order of the curve', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const address = toBase58(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
    const signature = new Uint8Array(sign(null, Buffer.from(messages[0]!), privateKey))
    expect(await isSignedBySolana(address, messages[0]!, signature.toHex())).toBe(true)
    const s = BigInt(`0x${signature.slice(32).toReversed().toHex()}`)
    const raised = new Uint8Array([...signature.slice(0, 32), ...toScalarBytes(s + ORDER)])
    expect(await isSignedBySolana(address, messages[0]!, raised.toHex())).toBe(false)
    const turned = new Uint8Array([...flipped(signature.slice(0, 32)), ...signature.slice(32)])
    expect(await isSignedBySolana(address, messages[0]!, turned.toHex())).toBe(false)
  })

  test('of any ordinary key is accepted', async () => {
    for (let i = 1; i <= 20; i++) {
      const seed = new Uint8Array(32).fill(i)
      const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
      const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
      const signature = new Uint8Array(sign(null, Buffer.from(messages[i]!), privateKey)).toHex()
      const address = toBase58(ed25519.getPublicKey(seed))
      expect(await isSignedBySolana(address, messages[i]!, signature)).toBe(true)
      expect(await isSignedBySolana(address, messages[i - 1]!, signature)).toBe(false)
    }
  })
})

describe('A signature on an EVM network', () => {
  test('is accepted only with the lower s value and a recovery id of 0, 1, 27 or 28', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    const signature = await wallet.signMessage({ message: 'a' })
    expect(await isSignedByEvm(wallet.address, 'a', signature)).toBe(true)
    const [r, s, v] = [signature.slice(2, 66), BigInt(`0x${signature.slice(66, 130)}`), signature.slice(130)]
    expect(s).toBeLessThanOrEqual(HALF_SECP256K1)
    const high = (2n * HALF_SECP256K1 + 1n - s).toString(16).padStart(64, '0')
    expect(await isSignedByEvm(wallet.address, 'a', `0x${r}${high}${v === '1b' ? '1c' : '1b'}`)).toBe(false)
    for (const other of ['02', '1a', '1d', '25', 'ff'])
      expect(await isSignedByEvm(wallet.address, 'a', `${signature.slice(0, 130)}${other}`)).toBe(false)
  })

  test('that recovers no key is rejected, and is not attributed to the zero address', async () => {
    const zero = `0x${'0'.repeat(40)}` as const
    for (const number of ['0'.repeat(64), 'f'.repeat(64), `${'0'.repeat(63)}1`])
      for (const v of ['00', '01', '1b', '1c'])
        expect(await isSignedByEvm(zero, 'a', `0x${number}${number}${v}`)).toBe(false)
  })
})

describe('an address without an owner', () => {
  const NOBODYS = [
    ...SMALL_ENCODINGS.map(bytes => [toBase58(bytes), 'solana']),
    ['Vote111111111111111111111111111111111111111', 'solana'],
    ['1nc1nerator11111111111111111111111111111111', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    [`0x${'0'.repeat(40)}`, 'base'],
    [`0x${'0'.repeat(39)}1`, 'eip155:424242'],
    [`0x${'0'.repeat(36)}dEaD`, 'ethereum'],
    [`0x${'Ee'.repeat(20)}`, 'polygon'],
  ] as [string, string][]

  test.each(NOBODYS)('like %s on %s is no account: payments to it are lost', (address, network) => {
    expect(addressProblem(address, network)).toMatchObject({ code: 'address_of_nobody' })
    expect(accountOf(address, network)).toBeUndefined()
  })

  test('gets no message to sign, and a key created for it grants nothing', async () => {
    await using store = await openStore('sqlite::memory:', { clock: systemClock })
    const keys = openKeyring({ keys: store.keys, clock: systemClock, extraKeys: [] })
    const signIn = createSignIn({ store, keys, clock: systemClock, publicUrl: 'https://directory.example' })
    for (const [address, network] of NOBODYS) {
      const asked = signIn.challenge({ address, network })
      expect(asked).rejects.toMatchObject({ code: 'invalid_request', problems: [{ path: 'address' }] })
      await asked.catch(() => {})
      const wallet = `${network.startsWith('solana') ? 'solana' : 'eip155'}:${address.startsWith('0x') ? address.toLowerCase() : address}`
      const { key } = await keys.create({ name: 'Forged', scopes: ['register'], expiresAt: null, wallet })
      const used = keys.authorize(key, 'register')
      expect(used).rejects.toMatchObject({ code: 'unauthorized' })
      await used.catch(() => {})
    }
  })
})

test('sign-ins of wallets from one network address are counted together', async () => {
  await using store = await openStore('sqlite::memory:', { clock: systemClock })
  const keys = openKeyring({ keys: store.keys, clock: systemClock, extraKeys: [] })
  const publicUrl = 'https://directory.example'
  const { challenge, signIn } = createSignIn({ store, keys, clock: systemClock, publicUrl, maxKeysFrom: 2 })
  const enter = async (from: string) => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { message } = await challenge({ address: account.address, network: 'base' })
    return signIn({ message, signature: await account.signMessage({ message }) }, { from })
  }
  await enter('192.0.2.1')
  await enter('192.0.2.1')
  await expect(enter('192.0.2.1')).rejects.toMatchObject({ code: 'rate_limited' })
  expect((await enter('192.0.2.2')).key).toStartWith('shb_')
})
