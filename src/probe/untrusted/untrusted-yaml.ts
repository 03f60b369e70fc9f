// Parses OpenAPI documents in YAML, limited to what JSON can express; documents with anchors are rejected.

/** The parser takes half a millisecond per kilobyte for the worst input tried. */
const MAX_BYTES = 256 * 1024
const BEGINS = /^["']?(?:openapi|swagger)["']?[ \t]*:/m
/**
 * An anchor. Without anchors there are no aliases and no merge keys, so the value cannot grow beyond the text or
 * contain itself. A text that looks like an anchor rejects the document too.
 */
const ANCHOR = /(?:^|[\s,[{:?-])&[^\s,[\]{}]/m

/** @returns undefined if it is not such a document, or too large */
export function parseYaml(body: Uint8Array): unknown {
  if (body.length > MAX_BYTES) return undefined
  const text = new TextDecoder().decode(body)
  if (!BEGINS.test(text) || ANCHOR.test(text)) return undefined
  try {
    // Values that JSON lacks, such as infinity, become null; excessive nesting throws.
    return JSON.parse(JSON.stringify(Bun.YAML.parse(text)))
  } catch {
    return undefined
  }
}
