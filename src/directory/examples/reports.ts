// A report about the example service.
import type { Report, ReportDraft } from '../../domain/reports.ts'
import { serviceExample } from './service.ts'

export const reportDraftExample: ReportDraft = {
  kind: 'impostor',
  text: 'It has the name and the text of another service, and pays a wallet that is not theirs.',
}

export const reportExample: Report = {
  id: 'rep_01k6zq8v5pf3t9m2r7xw4yhd0e',
  serviceId: serviceExample.id,
  ...reportDraftExample,
  reporter: 'key_2f7hq0',
  createdAt: serviceExample.updatedAt,
  resolvedAt: null,
}
