// Measures intent search on the judged queries over the sample catalog.
// bun run eval [words of a query …] [--explain] [--worst n] [--weak] | --attack | --mixed
import { parseArgs } from 'node:util'
import { evidenceOf } from '../src/search/ranking/rank-intent.ts'
import { type Answer, type Judged, openJudgedCatalog, readJudged } from '../test/quality/judged-catalog.ts'
import { printAttacks } from './attack-table.ts'
import { printMixedStanding } from './mixed-table.ts'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    attack: { type: 'boolean', default: false },
    mixed: { type: 'boolean', default: false },
    explain: { type: 'boolean', default: false },
    worst: { type: 'string' },
    weak: { type: 'boolean', default: false },
  },
})
if (values.attack || values.mixed) {
  if (values.attack) await printAttacks()
  if (values.mixed) await printMixedStanding()
  process.exit(0)
}
const { ask } = await openJudgedCatalog()
const wanted = positionals.join(' ')
const judged = (await readJudged()).filter(({ query }) => query.includes(wanted))
const answers = judged.map(entry => ({ entry, answer: ask(entry) }))

function explain({ entry, answer }: { entry: Judged; answer: Answer }): void {
  const { intent, hits, score } = answer
  console.log(`\n${entry.query}  (${entry.kind}, ${score.toFixed(3)})`)
  console.log(
    `  tokens ${intent.tokens.join(' ')} · content ${intent.contentTokens.join(' ')} · wishes ${intent.wishes.join(' ')}`,
  )
  console.log(`  constraints ${JSON.stringify(intent.constraints)}`)
  for (const { host, grade, score: total, parts, matchedTokens, similarWords } of hits) {
    const sum = `${total.toFixed(3)} = bm25 ${parts.bm25.toFixed(3)}, cosine ${parts.cosine.toFixed(3)}, maxSim ${parts.maxSim.toFixed(3)}, prior ${parts.prior.factor.toFixed(3)} up to ${parts.prior.limit.toFixed(2)}`
    console.log(
      `  ${grade} ${host.padEnd(28)} ${sum}  [${matchedTokens.join(' ')}] [${[...similarWords].map(([token, met]) => `${token} → ${met}`).join(' ')}]`,
    )
  }
  const shown = new Set(hits.map(({ host }) => host))
  const missed = Object.entries(entry.relevant).filter(([host]) => !shown.has(host))
  if (missed.length > 0)
    console.log(`  missed ${missed.map(([host, grade]) => `${host} (${grade})`).join(', ')}`)
}

/** What other limits of evidence (search/ranking/rank-intent.ts) would mark as weak: answers whose first hit is right, and where nothing fits. */
function weakTable(): void {
  const evidence = answers
    .filter(({ answer: { hits, intent } }) => hits.length > 0 && intent.contentTokens.length > 0)
    .map(({ entry, answer: { hits, intent } }) => ({
      isRight: hits[0]!.grade > 0,
      isNothing: entry.nothing === true,
      most: Math.max(...hits.slice(0, 3).map(hit => evidenceOf(hit, intent.contentTokens.length))),
    }))
  const share = (rows: typeof evidence, limit: number) =>
    ((100 * rows.filter(({ most }) => most < limit).length) / rows.length).toFixed(1)
  console.log('evidence below   of right ones, %   where nothing fits, %')
  for (let limit = 0.5; limit < 0.9; limit += 0.04) {
    const right = share(
      evidence.filter(({ isRight }) => isRight),
      limit,
    )
    const nothing = share(
      evidence.filter(({ isNothing }) => isNothing),
      limit,
    )
    console.log(limit.toFixed(2).padStart(14) + right.padStart(19) + nothing.padStart(24))
  }
}

function table(): void {
  const kinds = [...new Set(judged.map(({ kind }) => kind))]
  const languages = ['en', 'ja', 'mixed']
  const mean = (rows: typeof answers) =>
    rows.length === 0
      ? ''
      : (rows.reduce((sum, { answer }) => sum + answer.score, 0) / rows.length).toFixed(3)
  const row = (name: string, rows: typeof answers) =>
    console.log(
      [
        name.padEnd(12),
        String(rows.length).padStart(5),
        ...[undefined, ...languages].map(language =>
          mean(rows.filter(({ entry }) => language === undefined || entry.lang === language)).padStart(8),
        ),
      ].join(''),
    )
  console.log(
    `${'nDCG@10'.padEnd(12)}${'n'.padStart(5)}${['all', ...languages].map(name => name.padStart(8)).join('')}`,
  )
  for (const kind of kinds)
    row(
      kind,
      answers.filter(({ entry }) => entry.kind === kind),
    )
  row('all', answers)
}

if (values.weak) weakTable()
else if (values.explain) answers.forEach(explain)
else if (values.worst !== undefined) {
  answers
    .sort((a, b) => a.answer.score - b.answer.score)
    .slice(0, Number(values.worst))
    .forEach(explain)
}
if (!values.weak) table()
