import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asksV2, type Merchant, openMerchant, PAYEE } from '../../probe/merchant.ts'
import { type Folder, openFolder, type Serving } from '../shirube.ts'

let folder: Folder
let serving: Serving
let merchant: Merchant
let env: Record<string, string>
beforeAll(async () => {
  merchant = openMerchant({ '/v1': asksV2() })
  folder = await openFolder({ ALLOW_PRIVATE_ENDPOINTS: 'on' })
  const { stdout: key } = await folder.run(['keys', 'create', 'mine'])
  serving = await folder.serve([], { PROBE: 'on' })
  env = { SHIRUBE_URL: serving.url, SHIRUBE_KEY: key.trim() }
})
afterAll(async () => {
  await serving[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
  await merchant[Symbol.asyncDispose]()
})

test('check prints each step for any endpoint, and fails if one fails', async () => {
  const fine = await folder.run(['check', `${merchant.url}/v1`, '--address', PAYEE, '--network', 'base'], {
    env,
  })
  expect(fine.code).toBe(0)
  expect(fine.stdout).toEndWith('Listed like this, it would be verified.\n')
  const wrong = await folder.run(['check', `${merchant.url}/v1`, '--network', 'polygon', '--json'], { env })
  expect(wrong.code).toBe(1)
  expect(JSON.parse(wrong.stdout)).toMatchObject({ outcome: 'mismatched', wouldVerify: false })
  const told = await folder.run(['check', `${merchant.url}/v1`, '--network', 'polygon'], { env })
  expect(told.stdout).toEndWith('Listed like this, it would not be verified.\n')
  const undecided = await folder.run(['check', `${merchant.url}/v1`, '--network', 'base'], { env })
  expect(undecided.code).toBe(0)
  expect(undecided.stdout).toEndWith(
    'No check failed. Whether it would be verified is decided with --address.\n',
  )
  const odd = await folder.run(['check', merchant.url, '--price', '1'], { env })
  expect(odd).toMatchObject({ code: 2 })
  expect(odd.stderr).toContain('--price and --currency belong together.')
})
