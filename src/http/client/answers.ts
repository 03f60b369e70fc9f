// Reads responses that are not passed on as they are: problem details, responses from other servers, lost connections.

import { DirectoryError, type ErrorCode, type Problem, toProblem } from '../../domain/errors.ts'
import { Encoded } from '../../domain/json/encoded.ts'
import { type Message, say, verbatim } from '../../messages/message.ts'
import { isTellable } from '../../messages/tell-in-english.ts'
import { PROBLEM_TYPES } from '../pipeline/errors.ts'

const isJson = (response: Response) => /[/+]json\b/i.test(response.headers.get('content-type') ?? '')

/** @throws DirectoryError if the response is not JSON, or the connection breaks */
export async function readJson<T>(response: Response, base: string): Promise<Encoded<T>> {
  if (!isJson(response)) throw notADirectory(base)
  try {
    return new ResponseBody<T>(new Uint8Array(await response.arrayBuffer()), base)
  } catch (error) {
    throw unreachable(base, error)
  }
}

/** JSON from whatever server is at the address. Every response of a directory is an object or a list. */
class ResponseBody<T> extends Encoded<T> {
  readonly #base: string

  constructor(bytes: Uint8Array, base: string) {
    super(bytes)
    this.#base = base
  }

  /** @throws DirectoryError if it is neither */
  override decode(): T {
    let value: T
    try {
      value = super.decode()
    } catch (error) {
      throw notADirectory(this.#base, error)
    }
    if (typeof value !== 'object' || value === null) throw notADirectory(this.#base)
    return value
  }
}

/** The directory's error, with its code, sentence and problems. */
export async function toError(response: Response, base: string): Promise<DirectoryError> {
  const body: unknown = isJson(response) ? await response.json().catch(() => undefined) : undefined
  if (typeof body !== 'object' || body === null) return notADirectory(base)
  const { code, detail, detailCode, errors } = body as Readonly<Record<string, unknown>>
  return new DirectoryError(
    isCode(code) ? code : codeOf(response.status),
    typeof detail === 'string'
      ? readMessage(detailCode, detail)
      : say('answered_status', { url: base, status: response.status }),
    Array.isArray(errors) ? errors.filter(isProblem).map(toReadProblem) : [],
  )
}

export const unreachable = (base: string, cause: unknown): DirectoryError =>
  new DirectoryError('store_unavailable', say('directory_unreachable', { url: base }), [], { cause })

export const notADirectory = (base: string, cause?: unknown): DirectoryError =>
  new DirectoryError('store_unavailable', say('not_a_directory', { url: base }), [], { cause })

const isCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(PROBLEM_TYPES, code)

/** A newer directory may send an unknown code; the status then decides. */
function codeOf(status: number): ErrorCode {
  const codes = Object.keys(PROBLEM_TYPES) as ErrorCode[]
  return (
    codes.find(code => PROBLEM_TYPES[code].status === status) ??
    (status < 500 ? 'invalid_request' : 'internal')
  )
}

type SentProblem = Pick<Problem, 'path' | 'message'> & { readonly code?: unknown; readonly values?: unknown }

const isProblem = (value: unknown): value is SentProblem =>
  typeof (value as Problem | null)?.path === 'string' && typeof (value as Problem).message === 'string'

const toReadProblem = ({ path, message, code, values }: SentProblem): Problem =>
  toProblem(path, readMessage({ code, values }, message))

/** An unknown code is reported by the sentence sent with it. */
const readMessage = (message: unknown, sentence: string): Message =>
  isTellable(message) ? message : verbatim(sentence)
