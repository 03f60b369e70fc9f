// The model, read once by each test file for all the directories that it opens.
import { type Embedder, openEmbedder } from '../src/search/embedding/model.ts'

let embedder: Embedder | undefined

export function sharedEmbedder(): Embedder {
  embedder ??= openEmbedder()
  return embedder
}
