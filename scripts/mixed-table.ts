// Prints the relevance of intent search where services stand as differently as in real life, beside where all stand alike.
import { openMixedStanding, type Relevance, readGraded } from '../test/quality/mixed-standing.ts'

const SEEDS = [1, 2, 3, 4, 5]

export async function printMixedStanding(): Promise<void> {
  console.log(
    'nDCG@10 where all stand alike and as they are drawn, over all services and over the verified ones',
  )
  console.log(`${'catalog'.padEnd(10)}  queries  all alike  drawn  verified alike  drawn  overtaken %`)
  for (const [name, { entries, queries }] of Object.entries(await readGraded())) {
    const measured = SEEDS.map(openMixedStanding(entries, queries))
    const mean = (of: keyof Relevance) => measured.reduce((sum, each) => sum + each[of], 0) / SEEDS.length
    const cells = [
      mean('allAlike').toFixed(3).padStart(11),
      mean('all').toFixed(3).padStart(7),
      mean('verifiedAlike').toFixed(3).padStart(16),
      mean('verified').toFixed(3).padStart(7),
      (100 * mean('overtaken')).toFixed(1).padStart(13),
    ]
    console.log(name.padEnd(10) + String(queries.length).padStart(9) + cells.join(''))
  }
}
