// What a reader of the document is told about fields whose schemas leave it to their names: the description, and the fields that
// have it. A test requires that every field has one, and that every field named here exists.
import type { Json } from './json-schema.ts'

const FIELDS: readonly (readonly [description: string, fields: string])[] = [
  [
    'Id of the service',
    'StatusRecord.id History.id Terms.id Trust.id Purchases.id Outcomes.id Provenance.id Backing.id Backing.speaker.id Backing.others.id Report.serviceId Resolution.service.id Change.id FeedEvent.serviceId ExportEntry.id BazaarItem.extensions.shirube.id',
  ],
  [
    'Name of the service',
    'Backing.speaker.name Backing.others.name Resolution.service.name ExportEntry.name BazaarItem.metadata.name ArdEntry.displayName ArdSearch.results.displayName',
  ],
  [
    'verified: it asks to be paid as listed',
    'Service.status StatusRecord.status Trust.status Resolution.service.status ExportEntry.status BazaarItem.extensions.shirube.status',
  ],
  [
    'Trust, 0 to 100',
    'Service.trustScore StatusRecord.trustScore Resolution.service.trustScore ExportEntry.trustScore BazaarItem.quality.trustScore',
  ],
  [
    'Price of a request',
    'ServiceDraft.pricing Service.pricing ExportEntry.pricing BazaarItem.extensions.shirube.pricing',
  ],
  [
    'Where and on which network it is paid',
    'ServiceDraft.x402Config Service.x402Config ExportEntry.x402Config',
  ],
  ['Requests before payment is required; default: 0', 'ServiceDraft.pricing.freeQuota'],
  ['Requests before payment is required', 'BazaarItem.extensions.shirube.pricing.freeQuota'],
  [
    'Currency of the price, like USDC',
    'Resolution.listed.currency ExportEntry.pricing.currency BazaarItem.extensions.shirube.pricing.currency',
  ],
  [
    'Price of a request, in whole units',
    'Resolution.listed.pricePerRequest ExportEntry.pricing.pricePerRequest BazaarItem.extensions.shirube.pricing.pricePerRequest',
  ],
  ['The listed payment address', 'Resolution.listed.paymentAddress ExportEntry.x402Config.paymentAddress'],
  ['The listed network', 'Resolution.listed.network ExportEntry.x402Config.network'],
  ['The listed endpoint', 'Resolution.listed.endpoint ExportEntry.endpoint'],
  ['When it was registered', 'Service.createdAt'],
  [
    'Time of the last probe; before it, of the registration',
    'StatusRecord.lastChecked BazaarItem.health.lastChecked',
  ],
  ['Which of the two kinds of record it is', 'HistoryProbe.kind HistoryEvent.kind'],
  ['When the endpoint was probed', 'HistoryProbe.at'],
  ['What the probe found', 'HistoryProbe.outcome'],
  ['Milliseconds until the response; null: there was none', 'HistoryProbe.latencyMs CheckReport.latencyMs'],
  ['Why, in English', 'HistoryProbe.reasons Purchase.reasons Resolution.reasons Resolution.reasons.text'],
  ['When it happened', 'HistoryEvent.at FeedEvent.at'],
  ['What happened', 'HistoryEvent.type FeedEvent.type WebhookMessage.type'],
  ['Why, in English; null: unknown', 'HistoryEvent.reason FeedEvent.reason'],
  ['Code of the reason; null: there is none', 'HistoryEvent.code FeedEvent.code'],
  ['The values in the reason, by name', 'HistoryEvent.values FeedEvent.values'],
  ['When the endpoint was seen asking for this', 'Terms.seenAt Resolution.seenAt BazaarItem.metadata.seenAt'],
  [
    'Version of x402',
    'Terms.x402Version BazaarList.x402Version BazaarSearch.x402Version BazaarMerchant.x402Version',
  ],
  ['Its URL', 'ResourceTerms.url'],
  ['What the endpoint says that it does', 'ResourceTerms.description'],
  ['Media type of its responses, as declared', 'ResourceTerms.mimeType BazaarItem.metadata.mimeType'],
  ['The price that its documents declare', 'ResourceTerms.declaredPrice.amount'],
  ['Currency of that price', 'ResourceTerms.declaredPrice.currency'],
  ['The ways to pay', 'ResourceTerms.accepts'],
  [
    'Contract address or mint of the asset',
    'Way.asset CheckedPayment.asset Resolution.seen.ways.asset BazaarAccepts.asset',
  ],
  [
    'The address that is paid',
    'Way.payTo Purchase.quoted.payTo CheckedPayment.payTo Resolution.seen.ways.payTo BazaarAccepts.payTo',
  ],
  ['How long a payment may take, as declared', 'Way.maxTimeoutSeconds BazaarAccepts.maxTimeoutSeconds'],
  ['Whether the signature is valid', 'SignedOffer.valid'],
  ['What the score is made of', 'Trust.components'],
  ['What is scored', 'TrustComponent.name'],
  ['Points for it', 'TrustComponent.points'],
  ['Those that delivered', 'Purchases.delivery.delivered'],
  ['Whether it is not verified because of them', 'Purchases.delivery.failing'],
  ['Id of the purchase', 'Purchase.id'],
  ['When it was bought', 'Purchase.at'],
  ['HTTP method', 'Purchase.method CheckedRequest.method'],
  ["In the asset's smallest units", 'Purchase.quoted.amount Resolution.seen.ways.amount'],
  ['In whole units', 'Purchase.quoted.price'],
  ['Currency of the price', 'Purchase.quoted.currency'],
  ['Contract address or mint of the asset', 'Purchase.asset'],
  ['What came back; null: nothing is known of it', 'Purchase.answer'],
  ['Milliseconds until the response', 'Purchase.answer.latencyMs WebhookTest.latencyMs'],
  ['Size of the body', 'Purchase.answer.bytes'],
  ['Content-Type of the response; null: none', 'Purchase.answer.contentType'],
  ['Whether there is a receipt, and whether it is valid', 'Purchase.receipt.result'],
  ['How it is signed', 'Purchase.receipt.signed.format SignedReceipt.format'],
  ['What is signed; a JWS contains it', 'Purchase.receipt.signed.payload SignedReceipt.payload'],
  ['The signature, or the whole JWS', 'Purchase.receipt.signed.signature SignedReceipt.signature'],
  ['Reports whose payment was seen on chain', 'Outcomes.payers.settlement'],
  ['Reports with a receipt only', 'Outcomes.payers.receipt'],
  ['Id of the report', 'Outcome.id Report.id'],
  ['What came of the payment, as reported', 'Outcome.outcome'],
  ['The wallet that paid', 'Outcome.payer'],
  ['The settlement on chain; null: only a receipt is known', 'Outcome.transaction'],
  ['When it was paid', 'Outcome.paidAt'],
  ['Currency of the amount; null: unknown', 'Outcome.currency'],
  ['What they have in common', 'Backing.others.shares'],
  ['The host that proves it', 'DomainProof.host CheckReport.domain.host'],
  ['When the proof was first found', 'DomainProof.since'],
  ['When it was reported', 'Report.createdAt'],
  ['Payment scheme, like exact', 'Resolution.seen.ways.scheme CheckedPayment.scheme BazaarAccepts.scheme'],
  ['CAIP-2', 'Resolution.seen.ways.chain'],
  ['The checked URL', 'CheckReport.endpoint'],
  ['Each check with its result, in order', 'CheckReport.checks'],
  ['Status code of the response; null: there was none', 'CheckReport.httpStatus'],
  ['What is checked', 'Check.check'],
  ['skipped: there was nothing to check', 'Check.result'],
  ['What was found, in English', 'Check.detail WebhookTest.detail'],
  ['Network, as the endpoint names it', 'CheckedPayment.network'],
  ['Name of the asset, where it is known', 'CheckedPayment.currency'],
  ['Probes that found the listed terms', 'Probing.lastHour.payable'],
  ['Probes that found other terms', 'Probing.lastHour.mismatched'],
  ['Probes that found no readable terms', 'Probing.lastHour.unpayable'],
  ['Probes without a response', 'Probing.lastHour.unreachable'],
  ['Probes that were refused', 'Probing.lastHour.refused'],
  ['When it can no longer be signed', 'Challenge.expiresAt'],
  ['The message, exactly as it was given', 'SignedChallenge.message'],
  ['Id of the key', 'ApiKey.id CreatedApiKey.id'],
  ['Name of the key', 'ApiKey.name CreatedApiKey.name'],
  ['What the key may be used for', 'ApiKey.scopes CreatedApiKey.scopes'],
  [
    'When it was created',
    'ApiKey.createdAt CreatedApiKey.createdAt Webhook.createdAt CreatedWebhook.createdAt',
  ],
  ['When it expires; null: never', 'ApiKey.expiresAt CreatedApiKey.expiresAt'],
  ['When it was revoked; null: it is valid', 'ApiKey.revokedAt CreatedApiKey.revokedAt'],
  ['When it was last used; null: never', 'ApiKey.lastUsedAt CreatedApiKey.lastUsedAt'],
  ['The service', 'OwnService.service IntentResult.service'],
  ['When it was hidden', 'OwnService.hidden.at'],
  ['Why the operator hid it', 'OwnService.hidden.why'],
  ['What was read from the sentence as conditions', 'IntentAnswer.constraints'],
  [
    'Best first',
    'IntentAnswer.results IntentAnswer.steps.results IntentAnswer.nearest.results BazaarSearch.resources',
  ],
  ['The part of the sentence', 'IntentAnswer.steps.text Constraints.unapplied.text'],
  ['Highest price of a request', 'Constraints.maxPricePerRequest'],
  ['Currency of the price', 'Constraints.currency'],
  ['Only services with this status', 'Constraints.status'],
  ['Only services in this category', 'Constraints.category'],
  ['Why it was not applied', 'Constraints.unapplied.why'],
  ['The tokens of the sentence that the service matched', 'IntentResult.matchedTokens'],
  ['Who stands behind the entry', 'IntentResult.backing BazaarItem.extensions.shirube.backing'],
  ['delete: the service is no longer listed', 'Change.type'],
  ['Id of the webhook', 'Webhook.id CreatedWebhook.id WebhookChallenge.data.webhookId'],
  ['The events that are sent', 'Webhook.events CreatedWebhook.events'],
  ['Which services the events are about', 'Webhook.filter CreatedWebhook.filter'],
  ['Time of the last delivery; null: none yet', 'Webhook.lastDeliveredAt CreatedWebhook.lastDeliveredAt'],
  ['Since when deliveries fail; null: they do not', 'Webhook.failingSince CreatedWebhook.failingSince'],
  ['Always webhook.challenge', 'WebhookChallenge.type'],
  ['What the receiver is asked to confirm', 'WebhookChallenge.data'],
  ['The event', 'WebhookMessage.data'],
  ['Version of the format', 'ExportDocument.version'],
  ['When it was exported', 'ExportDocument.exportedAt'],
  ['All listed services', 'ExportDocument.endpoints'],
  ['The words of each, with its callers', 'Census.unmet.searches'],
  ['Services that are verified', 'CensusDay.verified'],
  ['Services that are unverified', 'CensusDay.unverified'],
  ['Services that are inactive', 'CensusDay.inactive'],
  ['CAIP-2', 'CensusDay.chains.id'],
  ['Id of the category', 'CensusDay.categories.id BazaarItem.metadata.category'],
  ['Language code; und: not determined', 'CensusDay.languages.id'],
  [
    'Number of services',
    'CensusDay.chains.count CensusDay.categories.count CensusDay.languages.count Readiness.services',
  ],
  ['The services of this page', 'BazaarList.items BazaarMerchant.resources ArdList.items'],
  [
    'Where this page is in the whole',
    'BazaarList.pagination BazaarSearch.pagination BazaarMerchant.pagination',
  ],
  [
    'Most entries of a page',
    'BazaarList.pagination.limit BazaarSearch.pagination.limit BazaarMerchant.pagination.limit',
  ],
  ['Entries before this page', 'BazaarList.pagination.offset BazaarMerchant.pagination.offset'],
  ['Number of all entries', 'BazaarList.pagination.total BazaarMerchant.pagination.total ArdList.total'],
  ['Send as cursor for the next page; null on the last', 'BazaarSearch.pagination.cursor'],
  ['When it last changed', 'BazaarItem.lastUpdated ArdEntry.updatedAt ArdSearch.results.updatedAt'],
  ['What the service does', 'BazaarItem.description ArdEntry.description ArdSearch.results.description'],
  ['Its category, where the format allows the name', 'BazaarItem.tags'],
  ['What the directory adds to the format', 'BazaarItem.metadata BazaarItem.extensions'],
  ['The chains that it is paid on', 'BazaarItem.metadata.supportedChains'],
  ['What this directory knows of it', 'BazaarItem.extensions.shirube'],
  ['Measurements of this directory', 'BazaarItem.quality'],
  ['Share of answered probes, 0 to 100', 'BazaarItem.quality.uptimeScore'],
  ['Sum of the payments seen on chain', 'BazaarItem.quality.totalRevenue'],
  ['Whether it answers', 'BazaarItem.health'],
  ['alive: verified; unknown: unverified; dead: inactive', 'BazaarItem.health.status'],
  ['What the scheme needs in addition, as the endpoint declares it', 'BazaarAccepts.extra'],
  ['What to search for', 'ArdSearchRequest.query ArdExploreRequest.query'],
  ['pageToken of the previous page', 'ArdSearchRequest.pageToken'],
  ['Send for the next page; absent on the last', 'ArdList.pageToken'],
  ['Best first', 'ArdSearch.results'],
  ['Media type of what the entry leads to', 'ArdEntry.type ArdSearch.results.type'],
  ['What to count', 'ArdExploreRequest.resultType ArdExploreRequest.resultType.facets'],
  ['The field whose values are counted', 'ArdExploreRequest.resultType.facets.field'],
  ['Most values to return', 'ArdExploreRequest.resultType.facets.limit'],
  ['Leaves out values with fewer entries', 'ArdExploreRequest.resultType.facets.minCount'],
  ['Always facets', 'ArdExplore.resultType'],
  ['The counts, by field', 'ArdExplore.facets'],
  ['Values, the most frequent first', 'ArdExplore.facets.buckets'],
  ['The value', 'ArdExplore.facets.buckets.value'],
  ['Entries that have it', 'ArdExplore.facets.buckets.count'],
  ['Entries with other values', 'ArdExplore.facets.otherCount'],
  ['Its names, by language', 'Category.labels'],
  ['In English', 'Category.labels.en'],
  ['In Japanese', 'Category.labels.ja'],
  ['degraded: reads work from memory, writes do not', 'Readiness.state'],
  ['When it was written', 'Readiness.snapshot.at Readiness.nightlyExport.at'],
  ['Size of the file', 'Readiness.nightlyExport.bytes'],
  ['What kind of problem it is', 'Problem.title'],
  ['The HTTP status code', 'Problem.status'],
  ['The field or parameter', 'Problem.errors.path'],
  ['What is wrong with it, in English', 'Problem.errors.message'],
]

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map(
  FIELDS.flatMap(([description, fields]) => fields.split(' ').map(field => [field, description] as const)),
)
export const DESCRIBED_FIELDS: readonly string[] = [...DESCRIPTIONS.keys()]

/** Adds the descriptions to the fields of a schema, also within lists and alternatives, which have the path of their field. */
export function withDescriptions(schema: Json, path: string): Json {
  const all = (part: unknown, toPath = (_name: string) => path) =>
    Object.fromEntries(
      Object.entries(part as Json).map(([name, each]) => [
        name,
        withDescriptions(each as Json, toPath(name)),
      ]),
    )
  const each = (part: unknown) =>
    Array.isArray(part) ? part.map(one => withDescriptions(one, path)) : withDescriptions(part as Json, path)
  const { properties, items, additionalProperties, anyOf, oneOf } = schema
  const nested = { items, additionalProperties, anyOf, oneOf }
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: describeAll(
        all(properties, name => `${path}.${name}`),
        path,
      ),
    }),
    ...Object.fromEntries(
      Object.entries(nested)
        .filter(([, part]) => typeof part === 'object')
        .map(([name, part]) => [name, each(part)]),
    ),
  }
}

const describeAll = (properties: Readonly<Record<string, Json>>, path: string): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const description = DESCRIPTIONS.get(`${path}.${name}`)
      return [name, description === undefined ? field : { description, ...field }]
    }),
  )
