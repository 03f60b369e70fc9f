/**
 * Validates a value against an untrusted JSON Schema. The schema is interpreted, never compiled, and its patterns are not executed, so
 * that it can cause neither code execution nor unbounded work. Unknown keywords are ignored.
 */
import { followReference, isRecord, type JsonRecord } from 'shirube/domain/json.ts'

type Schema = JsonRecord

/**
 * Cost of one validation: 1 for each pair of a value and a schema that is compared, and 1 for each hundred names or characters that are
 * read for it, because a seller can have its large answer compared with a schema over and over. What is left then passes unchecked.
 */
const MAX_COST = 10_000
const READ_FOR_ONE = 100
/** Nested schemas; deeper parts pass unchecked. */
const MAX_DEPTH = 64
/** Problems returned. */
const MAX_PROBLEMS = 5

/** @returns the problems, each with its path; empty if the value is valid. @param root the document in which references are resolved */
export function schemaProblems(value: unknown, schema: unknown, root: unknown = schema): string[] {
  return new Check(root).run(value, schema)
}

class Check {
  readonly #root: unknown
  /** The choices of each `enum` as JSON. */
  readonly #choices = new Map<unknown, ReadonlySet<string>>()
  #cost = 0

  constructor(root: unknown) {
    this.#root = root
  }

  run(value: unknown, schema: unknown): string[] {
    return this.#check(value, schema, '', 0).slice(0, MAX_PROBLEMS)
  }

  /** Returns whether the budget is not exceeded. */
  #spend(cost: number): boolean {
    this.#cost += cost
    return this.#cost <= MAX_COST
  }

  #check(value: unknown, schema: unknown, place: string, depth: number): string[] {
    if (schema === false) return [`${named(place)} must not be there`]
    if (!isRecord(schema) || depth > MAX_DEPTH || !this.#spend(1)) return []
    const { $ref } = schema
    if (typeof $ref === 'string') {
      const target = followReference(this.#root, $ref)
      return target === undefined ? [] : this.#check(value, target, place, depth + 1)
    }
    const type = typeProblem(value, schema, place)
    if (type) return [type]
    return [
      ...(this.#isChosen(value, schema) ? [] : [`${named(place)} is none of the declared values`]),
      ...(typeof value === 'number' ? numberProblems(value, schema, place) : []),
      ...(typeof value === 'string' ? lengthProblems(value, schema, place) : []),
      ...this.#combined(value, schema, place, depth),
      ...(Array.isArray(value) ? this.#items(value, schema, place, depth) : []),
      ...(isRecord(value) ? this.#properties(value, schema, place, depth) : []),
    ]
  }

  #isChosen(value: unknown, schema: Schema): boolean {
    const choices = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined
    if (!choices) return true
    const texts = this.#choices.get(choices) ?? new Set(choices.map(choice => JSON.stringify(choice)))
    this.#choices.set(choices, texts)
    const text = JSON.stringify(value) ?? ''
    return !this.#spend(text.length / READ_FOR_ONE) || texts.has(text)
  }

  #combined(value: unknown, schema: Schema, place: string, depth: number): string[] {
    const fits = (each: unknown) => this.#check(value, each, place, depth + 1).length === 0
    const all = listOf(schema.allOf).flatMap(each => this.#check(value, each, place, depth + 1))
    const any = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
    const fitsAny = any.length === 0 || any.some(fits)
    return fitsAny ? all : [...all, `${named(place)} fits none of the declared forms`]
  }

  #items(value: readonly unknown[], schema: Schema, place: string, depth: number): string[] {
    const { items, minItems, maxItems } = schema
    const problems: string[] = []
    if (typeof minItems === 'number' && value.length < minItems)
      problems.push(`${named(place)} must have at least ${minItems} items`)
    if (typeof maxItems === 'number' && value.length > maxItems)
      problems.push(`${named(place)} must have at most ${maxItems} items`)
    if (!isRecord(items)) return problems
    for (const [index, item] of value.entries()) {
      if (problems.length >= MAX_PROBLEMS || this.#cost > MAX_COST) break
      problems.push(...this.#check(item, items, `${place}[${index}]`, depth + 1))
    }
    return problems
  }

  #properties(value: Schema, schema: Schema, place: string, depth: number): string[] {
    const required = listOf(schema.required)
    const names = Object.keys(value)
    if (!this.#spend((required.length + names.length) / READ_FOR_ONE)) return []
    const problems = required
      .filter((name): name is string => typeof name === 'string' && !Object.hasOwn(value, name))
      .slice(0, MAX_PROBLEMS)
      .map(name => `${named(inside(place, name))} is missing`)
    const properties = isRecord(schema.properties) ? schema.properties : {}
    for (const name of names) {
      if (problems.length >= MAX_PROBLEMS || this.#cost > MAX_COST) break
      const each = value[name]
      if (Object.hasOwn(properties, name))
        problems.push(...this.#check(each, properties[name], inside(place, name), depth + 1))
      else if (schema.additionalProperties === false && schema.patternProperties === undefined)
        problems.push(`${named(inside(place, name))} is not declared`)
      else if (isRecord(schema.additionalProperties))
        problems.push(...this.#check(each, schema.additionalProperties, inside(place, name), depth + 1))
    }
    return problems
  }
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: value => value === null,
  boolean: value => typeof value === 'boolean',
  string: value => typeof value === 'string',
  number: value => typeof value === 'number',
  integer: value => typeof value === 'number' && Number.isInteger(value),
  array: Array.isArray,
  object: value => isRecord(value),
}

function typeProblem(value: unknown, { type, nullable }: Schema, place: string): string | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter(
    (name): name is string => typeof name === 'string' && Object.hasOwn(TYPES, name),
  )
  if (types.length === 0 || (value === null && nullable === true)) return undefined
  return types.some(name => TYPES[name]!(value)) ? undefined : `${named(place)} must be ${types.join(' or ')}`
}

function numberProblems(value: number, { minimum, maximum }: Schema, place: string): string[] {
  const problems: string[] = []
  if (typeof minimum === 'number' && value < minimum)
    problems.push(`${named(place)} must be at least ${minimum}`)
  if (typeof maximum === 'number' && value > maximum)
    problems.push(`${named(place)} must be at most ${maximum}`)
  return problems
}

function lengthProblems(value: string, { minLength, maxLength }: Schema, place: string): string[] {
  const problems: string[] = []
  if (typeof minLength === 'number' && value.length < minLength)
    problems.push(`${named(place)} must have at least ${minLength} characters`)
  if (typeof maxLength === 'number' && [...value].length > maxLength)
    problems.push(`${named(place)} must have at most ${maxLength} characters`)
  return problems
}

/** Characters of a property name in a problem. */
const MAX_NAME = 64
const named = (place: string): string => (place === '' ? 'the value' : place)
/** Names are untrusted too, so they are quoted and shortened. */
const inside = (place: string, name: string): string => {
  const plain = /^[A-Za-z_$][\w$-]*$/.test(name) ? name : JSON.stringify(name)
  const short = plain.length > MAX_NAME ? `${plain.slice(0, MAX_NAME)}…` : plain
  return place === '' ? short : `${place}.${short}`.slice(-4 * MAX_NAME)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
