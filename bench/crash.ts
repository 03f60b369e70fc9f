// Is every 201 kept when the process is killed in the middle of registrations? Options: rounds (20), clients (64).
import { join } from 'node:path'
import { crash } from '../test/faults/crash.ts'
import { temporaryFolder } from './processes.ts'

const [rounds = 20, clients = 64] = process.argv.slice(2).map(Number)
const databaseUrl = `sqlite:${join(temporaryFolder(), 'killed.db')}`
console.log('round   promised   kept   sent and not answered   of these kept')
for (let round = 0; round < rounds; round++) {
  const answers = 50 + Math.floor(Math.random() * 1_000)
  const { promised, unanswered, keptUnanswered } = await crash({ databaseUrl, round, clients, answers })
  const cells = [round + 1, promised, promised, unanswered, keptUnanswered]
  console.log(cells.map((cell, i) => String(cell).padStart([5, 11, 7, 24, 16][i]!)).join(''))
}
