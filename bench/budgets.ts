// Do ten agents with a budget each stay within it? They pay on a local chain, all at once. Options: calls (1000).
import { toMicroDollars } from '../src/domain/money/money.ts'
import { openAgents, spendAll } from '../test/paid/agents.ts'

const calls = Number(process.argv[2] ?? '1000')
const budget = (calls / 10) * 0.0012
await using agents = await openAgents(10, { levels: ['verified'], budgetPerDay: budget.toFixed(4) })
const began = performance.now()
const outcomes = await spendAll(agents, calls)
const seconds = (performance.now() - began) / 1_000
const sums = await agents.sums()
const spent = (of: typeof sums) => of.reduce((sum, { usd }) => sum + toMicroDollars(usd)!, 0)
const byAgent = [...Map.groupBy(sums, ({ day, agent }) => `${day} ${agent}`).values()].map(spent)
const onChain = await agents.world.paidOnChain()
console.log(outcomes)
console.log(
  `${calls} calls in ${seconds.toFixed(1)} s; the fullest budget of ${budget * 1e6} millionths: ${Math.max(...byAgent)}`,
)
console.log(`account ${spent(sums)}, chain ${onChain}`)
if (spent(sums) !== onChain || byAgent.some(each => each > Math.round(budget * 1e6))) process.exitCode = 1
