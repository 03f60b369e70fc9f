import { expect, test } from 'bun:test'
import { NO_MARKS } from '../../src/domain/listing/backing.ts'
import { toService } from '../../src/domain/listing/service.ts'
import { toLine } from '../../src/mcp/service-view.ts'
import { entry } from '../entries.ts'

test('a line of selected fields includes marks that warn, and no others', () => {
  const service = toService(entry({ name: 'Weather' }))
  const line = (marks: Partial<typeof NO_MARKS>) =>
    toLine(service, { marks: { ...NO_MARKS, ...marks }, fields: ['name'] })
  const fields = `id "${service.id}", name "Weather"`
  expect(line({})).toBe(fields)
  expect(line({ claimed: true, domain: true })).toBe(fields)
  expect(line({ sample: true })).toBe(`${fields}, INVENTED SAMPLE: nobody offers this service`)
  expect(line({ stranger: true })).toBe(
    `${fields}, LISTED BY A STRANGER: another entry represents this endpoint`,
  )
  expect(line({ namesake: true })).toEndWith(', has the name of an entry of another owner')
  const unread = 'WHO BACKS IT COULD NOT BE READ: call get_service before you pay'
  expect(toLine(service, { marks: 'unread', fields: ['name'] })).toBe(`${fields}, ${unread}`)
  expect(toLine(service, { marks: 'unread' })).toContain(unread)
})
