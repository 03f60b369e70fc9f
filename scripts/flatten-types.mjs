// Writes the types of a module and of all that it needs into one file that needs nothing else. What is read is the output of the
// compiler; types that are inferred from schemas are written out, so that nobody needs the library of the schemas.
// Run by Node: the compiler's interface reads pipes in a way that Bun does not know.
import { writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { SyntaxKind } from 'typescript/unstable/ast'
import { API, NodeBuilderFlags, SymbolFlags } from 'typescript/unstable/sync'

const FLAGS =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.InTypeAlias |
  NodeBuilderFlags.MultilineObjectLiterals |
  NodeBuilderFlags.UseFullyQualifiedType
/** What only a schema, or the type of a value, can tell. */
const INFERRED = /\bz\.|\btypeof\b/
/** A name with the address of its file, or without; what is quoted is none. */
const NAMED = /import\("([^"]+)"\)\.(\w+)|"[^"]*"|(?<![\w$.])([A-Z]\w*)(?![\w$]*[?:])/g

class Flattener {
  #names = new Map()
  #texts = new Map()

  constructor(project, root) {
    this.checker = project.checker
    this.program = project.program
    this.root = root
  }

  exportsOf(path) {
    return this.checker.getExportsOfModule(this.checker.getSymbolAtLocation(this.program.getSourceFile(path)))
  }

  /** The declarations of all exports of the module, and of what they name, each once. */
  flatten(path) {
    const exported = this.exportsOf(path)
    for (const symbol of exported) this.#names.set(this.#original(symbol).id, symbol.name)
    for (const symbol of exported) this.#add(this.#original(symbol))
    const isPublic = new Set(exported.map(symbol => this.#original(symbol).id))
    const texts = [...this.#texts].map(([id, text]) => (isPublic.has(id) ? `export ${text}` : text))
    return `${texts.join('\n')}\nexport {}\n`
  }

  #original(symbol) {
    return symbol.flags & SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol
  }

  /** The name under which a declaration is written; it enters the file if it was not there. */
  #nameOf(symbol) {
    if (!this.#names.has(symbol.id)) {
      const taken = new Set(this.#names.values())
      let name = symbol.name
      for (let i = 2; taken.has(name); i++) name = `${symbol.name}${i}`
      this.#names.set(symbol.id, name)
    }
    this.#add(symbol)
    return this.#names.get(symbol.id)
  }

  #add(symbol) {
    if (this.#texts.has(symbol.id)) return
    // Its place, before those that it names: they may name it again.
    this.#texts.set(symbol.id, '')
    this.#texts.set(symbol.id, symbol.declarations.map(handle => this.#declare(symbol, handle)).join('\n'))
  }

  #declare(symbol, handle) {
    const node = handle.resolve()
    const file = node.getSourceFile()
    const text = file.text.slice(node.getStart(file, true), node.end)
    const name = this.#names.get(symbol.id)
    if (node.kind === SyntaxKind.TypeAliasDeclaration && INFERRED.test(node.type.getText(file))) {
      const comment = file.text.slice(node.getStart(file, true), node.getStart(file))
      const parameters = file.text.slice(node.name.end, node.type.getStart(file))
      return `${comment}type ${name}${parameters}${this.#expand(this.checker.getDeclaredTypeOfSymbol(symbol), node)};`
    }
    if (INFERRED.test(text.replace(/\/\*[\s\S]*?\*\//g, '')))
      throw new Error(`${relative(this.root, file.fileName)}: ${name} cannot be written without its schema.`)
    const renamed = this.#rename(node, file)
    const declared = node.kind === SyntaxKind.VariableDeclaration ? `const ${renamed};` : renamed
    const plain = declared.replace(/^((?:\/\*[\s\S]*?\*\/\s*)*)(?:export )?(?:declare )?/, '$1')
    const isType = [SyntaxKind.TypeAliasDeclaration, SyntaxKind.InterfaceDeclaration].includes(node.kind)
    return isType ? plain : plain.replace(/^((?:\/\*[\s\S]*?\*\/\s*)*)/, '$1declare ')
  }

  /** A type as the checker writes it, where each name of ours leads to its own declaration. */
  #expand(type, node) {
    const text = this.checker.typeToString(type, undefined, FLAGS)
    return text.replace(NAMED, (whole, path, imported, own) => {
      const symbol = path
        ? this.exportsOf(`${path}.d.ts`).find(({ name }) => name === imported)
        : // Only what its file keeps to itself has no address.
          this.checker.resolveName(own, SymbolFlags.Type, node, true)
      return symbol && this.#isOurs(this.#original(symbol)) ? this.#nameOf(this.#original(symbol)) : whole
    })
  }

  /** The text of a declaration with every name that belongs to another declaration of ours replaced by the one it has here. */
  #rename(node, file) {
    const from = node.getStart(file, true)
    const edits = []
    for (const identifier of identifiersIn(node)) {
      const found = this.checker.getSymbolAtLocation(identifier)
      const symbol = found && this.#original(found)
      if (!symbol || !this.#isOurs(symbol)) continue
      edits.push([identifier.getStart(file) - from, identifier.end - from, this.#nameOf(symbol)])
    }
    let text = file.text.slice(from, node.end)
    for (const [start, end, name] of edits.sort((a, b) => b[0] - a[0]))
      text = text.slice(0, start) + name + text.slice(end)
    return text
  }

  /** Whether it stands by itself in one of the files that are flattened. */
  #isOurs({ declarations }) {
    const [first] = declarations
    const node = first?.path.toLowerCase().startsWith(this.root.toLowerCase()) ? first.resolve() : undefined
    const owner = node?.kind === SyntaxKind.VariableDeclaration ? node.parent?.parent?.parent : node?.parent
    return owner?.kind === SyntaxKind.SourceFile
  }
}

function identifiersIn(node) {
  const found = []
  const visit = each => {
    if (each.kind === SyntaxKind.Identifier) found.push(each)
    each.forEachChild(visit)
  }
  visit(node)
  return found
}

const [, , config, ...pairs] = process.argv
const api = new API({ cwd: dirname(config) })
try {
  for (let i = 0; i < pairs.length; i += 2) {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    const text = new Flattener(project, dirname(config)).flatten(join(dirname(config), pairs[i]))
    writeFileSync(pairs[i + 1], text)
  }
} finally {
  api.close()
}
