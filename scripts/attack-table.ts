// Prints how far hostile listings get among the judged queries, by kind of attack and by what the attacker has reached.
import {
  ATTACK_NAMES,
  type AttackerStanding,
  type AttackName,
  type Counted,
  openAttacks,
  PLACES,
  STANDINGS,
  WORDING_NAMES,
} from '../test/quality/attacked-catalog.ts'

const percent = (share: number): string => (100 * share).toFixed(1).padStart(7)

export async function printAttacks(): Promise<void> {
  const { attack, hiddenNewcomers, newcomers } = await openAttacks()

  function printRow(
    name: string,
    names: readonly AttackName[],
    standing: AttackerStanding,
    counted: Counted,
  ): void {
    const { listings, reached } = attack(names, standing)
    const cells = PLACES.map(place => {
      const { first, firstThree, ofPage } = reached(place, counted)
      return percent(first) + percent(firstThree) + percent(ofPage)
    })
    console.log(name.padEnd(30) + String(listings).padStart(6) + cells.map(cell => `  ${cell}`).join(''))
  }

  for (const standing of Object.keys(STANDINGS) as AttackerStanding[]) {
    console.log(
      `\nHostile listings that are ${standing}, in percent of the queries that a verified service matches by most of the words`,
    )
    console.log(' '.repeat(36) + PLACES.map(place => `  ${place.padStart(21)}`).join(''))
    console.log(`${'kind'.padEnd(30)}     n${'    first  top 3   page'.repeat(PLACES.length)}`)
    for (const name of ATTACK_NAMES) printRow(name, [name], standing, 'matched')
    printRow('all together', ATTACK_NAMES, standing, 'matched')
    printRow('all, answered by any words', ATTACK_NAMES, standing, 'answered')
    for (const name of WORDING_NAMES) printRow(name, [name], standing, 'matched')
    printRow('other wording together', WORDING_NAMES, standing, 'matched')
    printRow('the same, by any words', WORDING_NAMES, standing, 'answered')
  }
  console.log('\nNewcomers without any standing that are not first for what only they do')
  for (const [name, names] of [
    ['among the sample', []],
    ['among all attacks', ATTACK_NAMES],
  ] as const) {
    const hidden = hiddenNewcomers(names)
    const cells = PLACES.map(place => `${place} ${hidden[place].length} of ${newcomers.length}`)
    console.log(`${name.padEnd(20)} ${cells.join(' · ')}`)
    for (const place of PLACES) for (const query of hidden[place]) console.log(`  ${place}: ${query}`)
  }
}
