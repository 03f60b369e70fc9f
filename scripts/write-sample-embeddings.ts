// Writes data/sample-embeddings.txt: the embeddings of the sample catalog, so that a first look at the directory needs no model.
import { readSample, SAMPLE_EMBEDDINGS } from '../src/app/local.ts'
import { openEmbedder } from '../src/search/embedding/model.ts'
import { createSemanticIndex } from '../src/search/embedding/semantic-index.ts'

const { embedDocument } = createSemanticIndex(openEmbedder())
const lines = (await readSample(new Date())).map(entry => `${embedDocument(entry).toBase64()}\n`)
await Bun.write(SAMPLE_EMBEDDINGS, lines.join(''))
