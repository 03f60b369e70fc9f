// Writes openapi.json; with --check it compares and writes nothing.
import { createOpenApi } from '../src/http/openapi/document.ts'
import { API_ROUTES } from '../src/http/routes/operations.ts'

const file = new URL('../openapi.json', import.meta.url).pathname
const text = `${JSON.stringify(createOpenApi(API_ROUTES), null, 2)}\n`

if (process.argv.includes('--check')) {
  const kept = await Bun.file(file)
    .text()
    .catch(() => '')
  if (kept !== text) {
    console.error('openapi.json differs from the schemas: run npm run openapi.')
    process.exit(1)
  }
} else {
  await Bun.write(file, text)
}
