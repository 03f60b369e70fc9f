// A check of the example endpoint.
import type { CheckReport } from '../../domain/check.ts'
import { toDetail } from '../../domain/message-view.ts'
import { say } from '../../messages/message.ts'
import { draftExample, serviceExample } from './service.ts'
import { requirementsExample } from './terms.ts'

const { paymentAddress } = draftExample.x402Config

/** Checks of a probe whose terms match the registration. */
export const networkMatches = say('network_as_registered', { network: 'Base' })

export const addressMatches = say('address_as_registered', { address: paymentAddress })

export const checkRequestExample = {
  endpoint: draftExample.endpoint,
  x402Config: draftExample.x402Config,
}

export const checkReportExample: CheckReport = {
  endpoint: draftExample.endpoint,
  outcome: 'payable',
  wouldVerify: true,
  checks: [
    { check: 'url', result: 'passed', ...toDetail(say('url_well_formed')) },
    { check: 'public_address', result: 'passed', ...toDetail(say('address_may_be_asked')) },
    { check: 'reachable', result: 'passed', ...toDetail(say('answers', { status: 402 })) },
    {
      check: 'answers_402',
      result: 'passed',
      ...toDetail(say('request_answers_402', { method: 'GET', path: '/v1' })),
    },
    { check: 'readable_terms', result: 'passed', ...toDetail(say('terms_version', { version: 2 })) },
    { check: 'network', result: 'passed', ...toDetail(networkMatches) },
    { check: 'address', result: 'passed', ...toDetail(addressMatches) },
    { check: 'other_payees', result: 'passed', ...toDetail(say('no_other_payees')) },
    { check: 'price', result: 'skipped', ...toDetail(say('no_price_given')) },
  ],
  notes: [],
  noteCodes: [],
  requests: [
    { method: 'GET', path: '/v1', status: 402, as: 'customer' },
    { method: 'GET', path: '/openapi.json', status: 404, as: 'customer' },
  ],
  domain: { host: new URL(serviceExample.endpoint).host, by: 'well_known', names: 'wallet' },
  httpStatus: 402,
  latencyMs: 84,
  resource: null,
  payments: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      payTo: paymentAddress,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      amount: '1000',
      price: '0.001',
      currency: 'USDC',
    },
  ],
  resources: [
    {
      url: draftExample.endpoint,
      method: 'GET',
      accepts: [requirementsExample],
      extensions: [],
      source: '402',
    },
  ],
}
