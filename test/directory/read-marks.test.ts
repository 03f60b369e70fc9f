import { expect, test } from 'bun:test'
import { serviceTable } from '../../src/cli/text/service-text.ts'
import { readMarks } from '../../src/directory/service-records.ts'
import { DirectoryError } from '../../src/domain/errors.ts'
import { Encoded } from '../../src/domain/json.ts'
import { toBacking } from '../../src/domain/listing/backing.ts'
import { toService } from '../../src/domain/listing/service.ts'
import { say } from '../../src/messages/message.ts'
import { entry } from '../entries.ts'

const [backed, gone, unread] = ['Backed', 'Gone', 'Unread'].map((name, i) =>
  entry({ name, endpoint: `https://api.test/${i}` }),
)

const directory = {
  async backing(id: string) {
    if (id === gone!.id) throw new DirectoryError('not_found', say('service_unknown', { id }))
    if (id === unread!.id) throw new TypeError('fetch failed')
    return Encoded.of(toBacking(backed!))
  },
}

test('a backing that cannot be read leaves no marks, which would call the service harmless', async () => {
  const marks = await readMarks(directory, [backed!.id, gone!.id, unread!.id])
  expect([...marks.keys()]).toEqual([backed!.id])
  const rows = serviceTable([toService(backed!), toService(unread!)], marks).split('\n')
  expect(rows.find(row => row.includes('Backed '))).not.toContain('unknown')
  expect(rows.find(row => row.includes('Unread '))).toContain('unknown')
})
