import { describe, expect, test } from 'bun:test'
import { registrableDomain } from '../../../src/domain/hosts/endpoint.ts'

describe('the registrable domain of a host', () => {
  test.each([
    ['example.com', 'example.com'],
    ['api.v2.example.com', 'example.com'],
    ['api.example.com.', 'example.com'],
    ['www.example.co.jp', 'example.co.jp'],
    ['a.b.example.co.uk', 'example.co.uk'],
    ['xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd.xn--p1ai'],
    ['api.unlisted.example', 'unlisted.example'],
  ])('of %s is %s', (host, domain) => expect(registrableDomain(host)).toBe(domain))

  test.each([
    ['seller-a.vercel.app', 'seller-b.vercel.app'],
    ['a.workers.dev', 'b.workers.dev'],
    ['a.github.io', 'b.github.io'],
    ['a.fly.dev', 'b.fly.dev'],
  ])('distinguishes customers of one platform: %s and %s', (a, b) => {
    expect(registrableDomain(`api.${a}`)).toBe(a)
    expect(registrableDomain(b)).toBe(b)
  })

  test.each([
    // *.ck is a suffix, but for www.ck.
    ['shop.co.ck', 'shop.co.ck'],
    ['api.shop.co.ck', 'shop.co.ck'],
    ['www.ck', 'www.ck'],
    ['api.www.ck', 'www.ck'],
  ])('follows wildcards and exceptions: of %s it is %s', (host, domain) =>
    expect(registrableDomain(host)).toBe(domain),
  )

  // Whoever has one address of a /64 has all of them at no cost.
  test.each([
    ['[2001:db8:0:1::1]', '2001:db8:0:1::/64'],
    ['[2001:db8:0:1:ffff::2]', '2001:db8:0:1::/64'],
    ['[2001:db8:0:2::1]', '2001:db8:0:2::/64'],
    ['[::ffff:203.0.113.7]', '203.0.113.7'],
  ])('of %s is its network %s', (host, network) => expect(registrableDomain(host)).toBe(network))

  test.each(['com', 'co.uk', 'vercel.app', 'localhost', '203.0.113.7'])('of %s is the host itself', host =>
    expect(registrableDomain(host)).toBe(host),
  )
})
