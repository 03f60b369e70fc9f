// Holds each room of the source to its line budget (scripts/budgets.json). A larger budget takes a sentence in the commit message.
import { Glob } from 'bun'
import BUDGETS from './budgets.json' with { type: 'json' }

const lines = new Map<string, number>()
for (const path of new Glob('{src,packages}/**/*.{ts,js,css,wat}').scanSync('.')) {
  if (path.includes('node_modules') || path.includes('/dist/')) continue
  const room = path.split('/').slice(0, 2).join('/')
  const text = await Bun.file(path).text()
  lines.set(room, (lines.get(room) ?? 0) + text.split('\n').length - 1)
}

const budgets = new Map(Object.entries(BUDGETS as Record<string, number>))
const problems = [...lines].flatMap(([room, count]) => {
  const budget = budgets.get(room)
  if (budget === undefined) return [`${room} has no budget: add it to scripts/budgets.json`]
  return count > budget ? [`${room} has ${count} lines, ${count - budget} over its budget of ${budget}`] : []
})
for (const room of budgets.keys()) if (!lines.has(room)) problems.push(`${room} has a budget and no files`)

for (const problem of problems.sort()) console.error(problem)
const total = [...lines.values()].reduce((sum, count) => sum + count, 0)
console.log(`${total} lines in ${lines.size} rooms, ${problems.length} problems`)
process.exit(problems.length > 0 ? 1 : 0)
