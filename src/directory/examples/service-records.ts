// What the directory stores about the example service.

import { toCall } from '../../domain/call/call.ts'
import type { Backing } from '../../domain/listing/backing.ts'
import type { ProvenanceRecord } from '../../domain/listing/provenance.ts'
import { NO_MESSAGE, toMessageRecord, toReason } from '../../domain/message-view.ts'
import type { History } from '../../domain/standing/history.ts'
import { EMPTY_TALLY } from '../../domain/standing/probes.ts'
import { TRUST_POINTS, type Trust } from '../../domain/standing/trust.ts'
import { say, together } from '../../messages/message.ts'
import { tellInEnglish } from '../../messages/tell-in-english.ts'
import { addressMatches, networkMatches } from './check.ts'
import { serviceExample, statusExample } from './service.ts'
import { termsExample } from './terms.ts'

const asRegistered = [
  networkMatches,
  addressMatches,
  say('price_as_listed', { price: '0.001', currency: 'USDC', upTo: false }),
]

export const historyExample: History = {
  id: serviceExample.id,
  items: [
    {
      kind: 'event',
      at: serviceExample.updatedAt,
      type: 'status',
      ...toReason(together(asRegistered)),
      before: 'unverified',
      after: 'verified',
    },
    {
      kind: 'probe',
      at: serviceExample.updatedAt,
      outcome: 'payable',
      httpStatus: 402,
      latencyMs: 84,
      priceSeen: '0.001',
      asListed: true,
      reasons: asRegistered.map(tellInEnglish),
      reasonCodes: asRegistered.map(toMessageRecord),
    },
    {
      kind: 'event',
      at: serviceExample.createdAt,
      type: 'registered',
      ...NO_MESSAGE,
      before: null,
      after: null,
    },
  ],
  next: null,
  days: [{ day: '2026-01-15', ...EMPTY_TALLY, up: 1, payable: 1, asListed: 1, fast: 1, latencyTotalMs: 84 }],
}

export const provenanceExample: ProvenanceRecord = {
  id: serviceExample.id,
  source: 'imported',
  sourceUrl: 'https://directory.example',
  firstSeen: serviceExample.createdAt,
  origin: { key: 'svc_06g1q9v3kbhx3e8f5n2m7r4t0c', seq: 1042 },
  owned: false,
  follows: true,
  overrides: ['price'],
}

export const backingExample: Backing = {
  id: serviceExample.id,
  claimed: true,
  domain: {
    host: new URL(serviceExample.endpoint).host,
    by: 'well_known',
    names: 'wallet',
    since: serviceExample.updatedAt,
  },
  representative: null,
  others: [
    {
      id: 'svc_01kf8w9f0zf3k8v0c2n4m6p8r1',
      name: serviceExample.name,
      shares: ['name', 'endpoint'],
      yields: true,
    },
  ],
  sample: false,
}

export const trustExample: Trust = {
  id: serviceExample.id,
  trustScore: serviceExample.trustScore,
  status: serviceExample.status,
  judgedAt: statusExample.lastChecked,
  components: [
    {
      name: 'verification',
      points: 4,
      most: TRUST_POINTS.verification,
      ...toReason(say('verified')),
    },
    {
      name: 'uptime',
      points: 14,
      most: TRUST_POINTS.uptime,
      ...toReason(say('uptime', { answered: 415, probes: 416 })),
    },
    {
      name: 'stability',
      points: 10,
      most: TRUST_POINTS.stability,
      ...toReason(
        say('stability', { probes: 416, asListed: 415, otherPrice: 0, mismatched: 0, mismatchWeight: 10 }),
      ),
    },
    {
      name: 'latency',
      points: 0,
      most: TRUST_POINTS.latency,
      ...toReason(say('speed', { probes: 416, fast: 4, fastMs: 500, fair: 20, fairSeconds: 2 })),
    },
    {
      name: 'age',
      points: 1,
      most: TRUST_POINTS.age,
      ...toReason(say('age_since_registration', { days: 17, fullDays: 90 })),
    },
    {
      name: 'payers',
      points: 12,
      most: TRUST_POINTS.payers,
      ...toReason(
        say('payers', {
          counted: 23,
          payers: 26,
          fullPayers: 200,
          inRing: 2,
          tooSmall: 1,
          largestPercent: 0,
        }),
      ),
    },
    {
      name: 'delivery',
      points: 0,
      most: TRUST_POINTS.delivery,
      ...toReason(say('never_bought')),
    },
  ],
  payers: 26,
  lastPaymentAt: null,
}

export const callExample = toCall(serviceExample, termsExample, 'curl')
