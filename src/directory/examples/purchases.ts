// Purchases from the example service, and reports of its payers.

import { toMessageRecord } from '../../domain/message-view.ts'
import type { OutcomeDraft } from '../../domain/purchases/outcomes.ts'
import type { OutcomesAnswer, OutcomeView } from '../../domain/purchases/outcomes-view.ts'
import type { PurchasesAnswer } from '../../domain/purchases/purchases-view.ts'
import { say } from '../../messages/message.ts'
import { tellInEnglish } from '../../messages/tell-in-english.ts'
import { serviceExample, statusExample } from './service.ts'

const settledReason = say('settled_on_chain', { transaction: `0x${'7a'.repeat(32)}` })

export const purchasesExample: PurchasesAnswer = {
  id: serviceExample.id,
  delivery: { purchases: 1, delivered: 1, failedInARow: 0, failing: false },
  purchases: [
    {
      id: 'pur_01jf3v5k2n8q4r6s7t9w0x1y2z',
      at: statusExample.lastChecked,
      outcome: 'delivered',
      counts: true,
      method: 'GET',
      url: 'https://weather.example/v1/forecast?city=Tokyo',
      tool: null,
      quoted: {
        amount: '2500',
        price: '0.0025',
        currency: 'USDC',
        payTo: serviceExample.x402Config.paymentAddress,
      },
      through: null,
      madeUp: false,
      charged: '2500',
      chain: 'eip155:8453',
      asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      transaction: `0x${'7a'.repeat(32)}`,
      answer: {
        status: 200,
        isError: false,
        latencyMs: 1_840,
        bytes: 412,
        contentType: 'application/json',
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        conformance: 'as_declared',
      },
      reasons: [tellInEnglish(settledReason)],
      reasonCodes: [toMessageRecord(settledReason)],
    },
  ],
  next: null,
}

export const outcomeDraftExample: OutcomeDraft = {
  outcome: 'delivered',
  network: 'base',
  payer: `0x${'2b'.repeat(20)}`,
  transaction: `0x${'7a'.repeat(32)}`,
  at: '2026-11-17T09:30:00.000Z',
  signature: `0x${'5b'.repeat(65)}`,
}

export const outcomeExample: OutcomeView = {
  id: 'out_01k6zq8v5pf3t9m2r7xw4yhd0e',
  at: outcomeDraftExample.at,
  outcome: 'delivered',
  proof: 'settlement',
  payer: outcomeDraftExample.payer,
  chain: 'eip155:8453',
  transaction: `0x${'7a'.repeat(32)}`,
  paidAt: '2026-11-17T09:28:31.000Z',
  amount: '0.0025',
  currency: 'USDC',
}

export const outcomesExample: OutcomesAnswer = {
  id: serviceExample.id,
  payers: { settlement: { payers: 1, delivered: 1 } },
  outcomes: [outcomeExample],
  next: null,
}
