// Whatever strangers nest without end, wherever they put it, is read or left out, and never exhausts the stack.
import { expect, test } from 'bun:test'
import { readManifest } from '../../src/probe/documents/documents.ts'
import { readOpenApi } from '../../src/probe/documents/openapi.ts'
import { findToolTerms, readToolChallenges, readTools } from '../../src/probe/mcp-session.ts'
import { toResourceTerms } from '../../src/probe/terms/declared.ts'
import { readTerms } from '../../src/probe/terms/x402.ts'
import { onBase } from './merchant.ts'

const LEVELS = 40_000
const nest = (open: string, close: string) => open.repeat(LEVELS) + 1 + close.repeat(LEVELS)
const NESTED = [nest('[', ']'), nest('{"items":', '}'), nest('{"allOf":[', ']}')]
/** JSON in which `@` is the nested value. */
const fill = (json: string) => NESTED.map(nested => json.replaceAll('@', nested))
const WAY = JSON.stringify(onBase).slice(0, -1)
const bazaar = (value: string) => `{"x402Version":2,"accepts":[${WAY}}],"extensions":{"bazaar":${value}}}`
const charge = (details: string, amount = '"1"') =>
  `{"error":{"data":{"challenges":[{"id":"1","realm":"x","method":"evm","intent":"charge","request":{"amount":${amount},"currency":"0x1","recipient":"0x2","methodDetails":${details}}}]}}}`

test.each([
  '@',
  '{"x402Version":@,"accepts":[]}',
  '{"x402Version":1,"accepts":@}',
  '{"x402Version":2,"accepts":[{"scheme":@,"amount":@}]}',
  `{"x402Version":2,"accepts":[${WAY},"extra":{"fee":@,"name":@}}]}`,
  `{"x402Version":2,"accepts":[${WAY}}],"resource":@,"extensions":@}`,
  bazaar(
    '{"info":{"input":{"type":"http","method":"GET","queryParams":@},"output":{"example":@}},"schema":@}',
  ),
  `{"x402Version":2,"accepts":[${WAY},"outputSchema":{"input":@,"output":@}}]}`,
])('in a 402: %s', body => {
  for (const text of fill(body)) {
    const reading = readTerms({ status: 402, headers: new Headers(), body: text })
    const size = reading.readable
      ? JSON.stringify(toResourceTerms(reading, { url: 'https://weather.test/', method: 'GET' })).length
      : JSON.stringify(reading).length
    expect(size).toBeLessThan(20_000)
  }
})

test.each([
  ['a manifest', '{"resources":[{"url":"/a","input":@,"output":@,"accepts":[@],"metadata":@,"price":@}]}'],
  ['payment info', '{"paths":{"/a":{"get":{"x-payment-info":{"offers":[@],"protocols":[@],"price":@}}}}}'],
  [
    'an operation',
    '{"paths":{"/a":{"post":{"x402":true,"parameters":[{"name":"a","in":"query","schema":@,"example":@}],"requestBody":{"content":{"application/json":{"schema":@,"example":@}}}}}}}',
  ],
])('in %s', (_, document) => {
  for (const text of fill(document)) {
    const value = JSON.parse(text)
    const found = [
      ...readManifest(value, 'https://weather.test/'),
      ...readOpenApi(value, 'https://weather.test/'),
    ]
    expect(found.every(({ input, output }) => input === undefined && output === undefined)).toBe(true)
  }
})

test.each([
  '{"result":{"isError":true,"structuredContent":@,"_meta":@,"content":[{"text":@,"_meta":@}]}}',
  '{"error":{"data":{"challenges":[@]}}}',
  charge('@'),
  charge('{"chainId":@,"splits":[@]}', '@'),
])('in a message of an MCP server: %s', message => {
  for (const text of fill(message)) {
    const value = JSON.parse(text)
    expect(findToolTerms(value)).toEqual([])
    expect(readToolChallenges(value).payments).toEqual([])
  }
})

test('in the tools of an MCP server', () => {
  for (const text of fill('{"tools":[{"name":"a","description":@,"inputSchema":@,"_meta":@}]}'))
    expect(readTools(JSON.parse(text))).toMatchObject([{ name: 'a' }])
})
