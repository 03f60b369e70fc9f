// OpenAPI documents that are written as YAML. Only what JSON could say is read of it: a document that refers to its own parts is none.

/** The parser takes half a millisecond a kilobyte for the worst that was tried. */
const MAX_BYTES = 256 * 1024
const BEGINS = /^["']?(?:openapi|swagger)["']?[ \t]*:/m
/**
 * A name for a part of the document. Without names there are no references and no merged keys, so that nothing grows beyond what
 * is written, and nothing holds itself. Within a text it may look the same: such a document is not read.
 */
const ANCHOR = /(?:^|[\s,[{:?-])&[^\s,[\]{}]/m

/** @returns undefined where it is none, or not to be read */
export function parseYaml(body: Uint8Array): unknown {
  if (body.length > MAX_BYTES) return undefined
  const text = new TextDecoder().decode(body)
  if (!BEGINS.test(text) || ANCHOR.test(text)) return undefined
  try {
    // What JSON has no word for, such as infinity, is nothing; what is nested too deeply ends both.
    return JSON.parse(JSON.stringify(Bun.YAML.parse(text)))
  } catch {
    return undefined
  }
}
