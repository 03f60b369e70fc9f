import { describe, expect, test } from 'bun:test'
import {
  isReservedName,
  privateAddressProblem,
  unroutableAddressProblem,
} from '../../../src/domain/hosts/endpoint.ts'
import { tellInEnglish } from '../../../src/messages/message.ts'
import { fc } from '../../fast-check.ts'

describe('an address that only its own network can reach is recognised', () => {
  test.each([
    ['loopback', '127.0.0.1'],
    ['anywhere in the loopback block', '127.200.3.4'],
    ['with a final dot', '127.0.0.1.'],
    ['shortened', '127.1'],
    ['decimal', '2130706433'],
    ['hexadecimal', '0x7f000001'],
    ['hexadecimal by octet', '0x7f.0x0.0x0.0x1'],
    ['octal', '0177.0.0.01'],
    ['octal, one number', '017700000001'],
    ['mixed radix', '0x7f.1'],
    ['full-width digits', '\uff11\uff12\uff17.\uff10.\uff10.\uff11'],
    ['circled digits', '\u2460\u2461\u2466.0.0.1'],
    ['ideographic full stops', '127\u30020\u30020\u30021'],
    ['percent escapes', '%31%32%37.0.0.1'],
    ['this network', '0.0.0.0'],
    ['zero', '0'],
    ['private, ten', '10.1.2.3'],
    ['private, first of 172.16', '172.16.0.1'],
    ['private, last of 172.16', '172.31.255.255'],
    ['private, 192.168', '192.168.1.1'],
    ['shared behind a carrier', '100.64.0.1'],
    ['the metadata address of a cloud', '169.254.169.254'],
    ['the metadata address as one number', '2852039166'],
    ['another cloud’s metadata', '100.100.100.200'],
    ['a third cloud’s metadata', '168.63.129.16'],
    ['a fourth cloud’s metadata', '192.0.0.192'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['benchmarks', '198.19.0.1'],
    ['IPv6 loopback', '::1'],
    ['IPv6 loopback in brackets', '[::1]'],
    ['IPv6 loopback in full', '[0000:0000:0000:0000:0000:0000:0000:0001]'],
    ['IPv6 unspecified', '::'],
    ['unique local', 'fd12:3456::1'],
    ['a cloud’s metadata in IPv6', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['IPv6 multicast', 'ff02::1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback in hexadecimal', '[::ffff:7f00:1]'],
    ['mapped metadata', '::ffff:a9fe:a9fe'],
    ['translated', '::ffff:0:127.0.0.1'],
    ['compatible', '::127.0.0.1'],
    ['compatible, whatever it carries', '::8.8.8.8'],
    ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
    ['local NAT64', '64:ff9b:1::8.8.8.8'],
    ['6to4', '2002:7f00:1::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['discard', '100::1'],
    ['segment routing', '5f00::1'],
    ['localhost', 'localhost'],
    ['localhost, shouted, with a dot', 'LOCALHOST.'],
    ['below localhost', 'api.localhost'],
    ['localhost in full width', '\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54'],
    ['no host at all', ''],
    ['a path in place of a host', 'example.com/127.0.0.1'],
    ['user info before a host', 'example.com@127.0.0.1'],
    ['an impossible number', '256.256.256.256'],
  ])('%s: %s', (_, host) => {
    expect(tellInEnglish(privateAddressProblem(host)!)).toMatch(/^\S.*\.$/)
    expect(unroutableAddressProblem(host)).toEqual(privateAddressProblem(host)!)
  })
})

test.each([
  ...'8.8.8.8 1.1.1.1 134744072 172.15.255.255 172.32.0.0 100.63.255.255 100.128.0.0'.split(' '),
  ...'169.253.255.255 192.167.1.1 223.255.255.255 2606:4700:4700::1111 [2606:4700:4700::1111]'.split(' '),
  ...'::ffff:8.8.8.8 64:ff9b::8.8.8.8 weather.jp localhost.weather.jp mylocalhost 天気.jp'.split(' '),
  ...'127.0.0.1.nip.io xn--5hqv09c.jp.'.split(' '),
])('public hosts pass: %s', host => {
  expect(privateAddressProblem(host)).toBeUndefined()
  expect(unroutableAddressProblem(host)).toBeUndefined()
  expect(isReservedName(host)).toBe(false)
})

describe('hosts set aside for documentation', () => {
  test.each([
    ...'example.com api.example.net EXAMPLE.ORG. weather.example a.b.test nothing.invalid example'.split(' '),
    ...'192.0.2.7 198.51.100.1 203.0.113.9 2001:db8::1 3fff::1 ::ffff:192.0.2.7'.split(' '),
  ])('%s is reserved, not private', host => {
    expect(isReservedName(host)).toBe(true)
    expect(privateAddressProblem(host)).toBeUndefined()
  })

  test.each('example.jp myexample.com example.com.jp test.com invalid.net contest 127.0.0.1'.split(' '))(
    '%s is not reserved',
    host => {
      expect(isReservedName(host)).toBe(false)
    },
  )

  test('addresses for documentation are not connected to', () => {
    expect(unroutableAddressProblem('192.0.2.7')).toMatchObject({ code: 'not_public' })
  })
})

test('any text is checked without an exception', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.ipV4Extended(), fc.ipV6()), host => {
      isReservedName(host)
      const problem = unroutableAddressProblem(host)
      return problem === undefined || tellInEnglish(problem).endsWith('.')
    }),
    { numRuns: 500 },
  )
})

test('every spelling of one IPv4 address gives the same result', () => {
  fc.assert(
    fc.property(fc.nat({ max: 0xffff_ffff }), number => {
      const octets = [24, 16, 8, 0].map(shift => (number >>> shift) & 0xff)
      const isPrivate = privateAddressProblem(octets.join('.')) !== undefined
      const spellings = [
        String(number),
        `0x${number.toString(16)}`,
        `0${number.toString(8)}`,
        octets.map(octet => `0${octet.toString(8)}`).join('.'),
        `::ffff:${octets.join('.')}`,
        `64:ff9b::${octets.join('.')}`,
      ]
      return spellings.every(host => (privateAddressProblem(host) !== undefined) === isPrivate)
    }),
  )
})
