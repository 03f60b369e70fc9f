// Reads what an interface was asked by the schema that states it. Each parameter is judged by its own part of the schema, which is all
// that a good query needs; only where something is wrong is the whole judged, so that every problem is told at once.

import type { z } from 'zod'
import { remember } from '../memory/remember.ts'
import { say } from '../messages/message.ts'
import { invalid, type Problem, toProblem } from './errors.ts'
import { nearest } from './nearest.ts'
import { toProblems } from './problems.ts'

/** A query string carries digits, other interfaces a number. */
export const wholeNumber = (value: unknown) =>
  typeof value === 'string' && /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value

/** Empty means something else than absent. */
const SPEAKING_WHEN_EMPTY = 'cursor'

type Judged = { readonly isGood: boolean; readonly value: unknown }
type Parameter = {
  readonly name: string
  readonly judge: (value: unknown) => Judged
  readonly isAbsentWhenEmpty: boolean
}

/** So many values of a parameter are remembered, and none that is longer: few occur, and all of them again and again. */
const MAX_REMEMBERED = 1_024
const LONGEST_REMEMBERED = 32

function toJudge(schema: z.ZodType, isSurelyGood?: IsSurelyGood): (value: unknown) => Judged {
  const judge = (value: unknown): Judged => {
    const { success, data } = schema.safeParse(value)
    // Others are handed the same list.
    return { isGood: success, value: Object.freeze(data) }
  }
  const judgeText = remember(MAX_REMEMBERED, judge)
  return value => {
    if (typeof value !== 'string') return judge(value)
    if (value.length <= LONGEST_REMEMBERED) return judgeText(value)
    return isSurelyGood?.(value) ? { isGood: true, value } : judge(value)
  }
}

/** Tells of most texts what their schema would: that they are good as they are. */
type IsSurelyGood = (text: string) => boolean

type Given = Iterable<readonly [string, unknown]>

/** A query string comes as a map, what other interfaces are asked as an object. */
const toEntries = (input: unknown): Given =>
  input instanceof Map ? input : Object.entries(input as Readonly<Record<string, unknown>>)

/**
 * @param surely for parameters that are long, and another text every time
 * @returns a function that throws DirectoryError `invalid_request`
 */
export function createQueryReader<S extends z.ZodObject>(
  schema: S,
  surely: { readonly [N in keyof z.output<S>]?: IsSurelyGood } = {},
): (input: unknown) => z.output<S> {
  const parameters = new Map<string, Parameter>()
  const absent: Record<string, unknown> = {}
  const required: string[] = []
  for (const [name, part] of Object.entries(schema.shape)) {
    const unless = (part as z.ZodType).safeParse(undefined)
    const isAbsentWhenEmpty = unless.success && name !== SPEAKING_WHEN_EMPTY
    const judge = toJudge(part as z.ZodType, surely[name as keyof typeof surely])
    parameters.set(name, { name, judge, isAbsentWhenEmpty })
    if (!unless.success) required.push(name)
    else if (unless.data !== undefined) absent[name] = unless.data
  }

  return input => {
    const given = toEntries(input)
    const query = { ...absent }
    for (const [name, value] of given) {
      const parameter = parameters.get(name)
      if (parameter === undefined) throw refusalOf(schema, parameters, given)
      if (value === undefined || (value === '' && parameter.isAbsentWhenEmpty)) continue
      const judged = parameter.judge(value)
      if (!judged.isGood) throw refusalOf(schema, parameters, given)
      query[parameter.name] = judged.value
    }
    for (const name of required) if (!(name in query)) throw refusalOf(schema, parameters, given)
    return query as z.output<S>
  }
}

/** A parameter that is accepted and ignored would mislead, so an unknown one is refused with the nearest known name. */
function refusalOf(schema: z.ZodObject, parameters: ReadonlyMap<string, Parameter>, given: Given) {
  const present: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const [name, value] of given) {
    const parameter = parameters.get(name)
    if (parameter === undefined) {
      const known = nearest(name, [...parameters.keys()]) ?? ''
      problems.push(toProblem(name, say('parameter_unknown', { nearest: known })))
    } else if (value !== '' || !parameter.isAbsentWhenEmpty) present[name] = value
  }
  const parsed = schema.safeParse(present)
  return invalid(parsed.success ? problems : [...problems, ...toProblems(parsed.error, present)])
}
