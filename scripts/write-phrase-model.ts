// Writes data/phrases-ja.json from the model of BudouX: bun scripts/write-phrase-model.ts <ja.js of the package budoux>
const [path] = process.argv.slice(2)
if (path === undefined) {
  console.error('bun scripts/write-phrase-model.ts <ja.js of the package budoux>')
  process.exit(2)
}
type Model = Readonly<Record<string, Readonly<Record<string, number>>>>

const { model } = (await import(new URL(path, `file://${process.cwd()}/`).href)) as { model: Model }
await Bun.write(new URL('../data/phrases-ja.json', import.meta.url), `${JSON.stringify(model)}\n`)
console.log(`${Object.values(model).reduce((sum, group) => sum + Object.keys(group).length, 0)} features`)
