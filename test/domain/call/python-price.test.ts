// The payment policy of a Python snippet, run by itself because the x402 package for Python is not installed here.
import { expect, test } from 'bun:test'
import { toCall } from '../../../src/domain/call/call.ts'
import type { PaymentRequirements, StoredTerms } from '../../../src/domain/terms/terms.ts'
import { draft } from '../../entries.ts'

const PAYEE = `0x${'1'.repeat(40)}`
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const requirements: PaymentRequirements = {
  protocol: 'x402',
  scheme: 'exact',
  network: 'eip155:8453',
  chain: 'eip155:8453',
  asset: USDC,
  amount: '2500',
  payTo: PAYEE,
  extra: { name: 'USD Coin', version: '2' },
}
const terms = (requirements: PaymentRequirements, x402Version: 1 | 2): StoredTerms => ({
  seenAt: '2026-01-01T00:00:00.000Z',
  x402Version,
  resources: [
    { url: 'https://api.example/v1', method: 'GET', accepts: [requirements], extensions: [], source: '402' },
  ],
})

/** Takes what the snippet hands its client, and asks it about each way of the merchant. */
const RUN = `
import json, sys, types
from types import SimpleNamespace
given = json.loads(sys.stdin.read())
kept = {}
class Client:
    def register(self, *_): pass
    register_v1 = register
    def set_spend_controls(self, controls): kept["controls"] = controls
    def register_policy(self, policy): kept["policy"] = policy
class Stop(Exception): pass
def stop(*_): raise Stop()
names = ["x402", "x402.http", "x402.http.clients", "x402.mechanisms", "x402.mechanisms.evm", "x402.mechanisms.evm.exact", "x402.mechanisms.evm.exact.v1", "eth_account"]
for name in names: sys.modules[name] = types.ModuleType(name)
sys.modules["x402"].x402ClientSync = Client
sys.modules["x402.http.clients"].x402_requests = stop
sys.modules["x402.mechanisms.evm"].EthAccountSigner = lambda *_: None
sys.modules["x402.mechanisms.evm.exact"].ExactEvmScheme = lambda *_: None
sys.modules["x402.mechanisms.evm.exact.v1"].ExactEvmSchemeV1 = lambda *_: None
sys.modules["eth_account"].Account = SimpleNamespace(from_key=lambda *_: None)
try: exec(given["snippet"], {})
except Stop: pass
ways = [SimpleNamespace(network=w["network"], asset=w["asset"], pay_to=w["payTo"], get_amount=lambda w=w: w["amount"]) for w in given["ways"]]
print(json.dumps({"controls": kept["controls"], "taken": [way in kept["policy"](2, [way]) for way in ways]}))
`
const python = Bun.which('python3')

test.skipIf(python === null).each([
  ['version 2', requirements, 2],
  ['version 1', { ...requirements, network: 'base' }, 1],
] as const)(
  'the policy for %s rejects a higher price and another payee, asset or network',
  async (_, told, version) => {
    const listed = { ...draft({ x402Config: { network: 'base', paymentAddress: PAYEE } }), id: 'svc_1' }
    const snippet = toCall(listed, terms(told, version), 'python')
    const ways = [
      {},
      { amount: '1' },
      { payTo: PAYEE.toUpperCase().replace('0X', '0x') },
      { amount: '2501' },
      { amount: '9'.repeat(78) },
      { amount: '2500.0' },
      { amount: '-1' },
      { amount: '' },
      { amount: '0x1' },
      { payTo: `0x${'2'.repeat(40)}` },
      { asset: `0x${'3'.repeat(40)}` },
      { network: 'eip155:1' },
    ].map(change => ({ ...told, ...change }))
    const child = Bun.spawn([python!, '-c', RUN], {
      stdin: new TextEncoder().encode(JSON.stringify({ snippet, ways })),
      stdout: 'pipe',
      env: { ...process.env, EVM_PRIVATE_KEY: '0x1' },
    })
    const { controls, taken } = JSON.parse(await new Response(child.stdout).text())
    expect(taken).toEqual(ways.map((_, i) => i < 3))
    expect(controls.allowed_assets).toEqual([
      { network: told.network, asset: USDC, max_amount_per_payment: '2500' },
    ])
  },
)
