// A route of the API: what each of its methods does, beside what the OpenAPI document says about it.
import type { LocalDirectory } from '../../directory/directory.ts'
import type { ProbeMeter } from '../../domain/probes.ts'
import type { PurchaseMeter } from '../../domain/purchases.ts'
import type { WebhookMeter } from '../../domain/webhooks.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import type { Operation } from '../openapi/operation.ts'
import type { KeyCheck } from '../pipeline/auth.ts'
import type { Caller, ReadOrigin } from '../pipeline/caller.ts'
import type { EnterListener } from '../pipeline/listener-slots.ts'
import type { RequestMeter } from '../pipeline/request-meter.ts'
import type { Exchange, Handler, Method, Route } from '../pipeline/route.ts'

export type MetricsReaders = 'local' | 'open' | 'off'

/** What handlers are made of; each takes what it needs. */
export type ApiParts = {
  readonly directory: LocalDirectory
  readonly keys: KeyCheck
  readonly clock: Clock
  readonly log: Log
  readonly directoryName: string
  /** What stands before the path in links; empty: links are relative. */
  readonly publicUrl: string
  readonly document: OpenApiDocument
  readonly readOrigin: ReadOrigin
  readonly readCaller: (exchange: Exchange) => Caller
  /** Raised when the server wants to end: nobody waits any longer. */
  readonly closing: AbortSignal
  readonly enter: EnterListener
  readonly meter: RequestMeter
  readonly probing: ProbeMeter | undefined
  readonly webhooks: WebhookMeter | undefined
  readonly buying: PurchaseMeter | undefined
  readonly metricsReaders: MetricsReaders
}

/** One method of a route. Without an operation it does not compile: whatever the API does is in its document. */
export type Endpoint = {
  /** Made for the document: a start does not wait for it. */
  readonly operation: () => Operation
  readonly create: (parts: ApiParts) => Handler
}

export type ApiRoute = Omit<Route, 'methods' | 'isPage'> & {
  readonly methods: Readonly<Partial<Record<Method, Endpoint>>>
}

export const openRoute = ({ methods, ...route }: ApiRoute, parts: ApiParts): Route => ({
  ...route,
  methods: Object.fromEntries(Object.entries(methods).map(([method, { create }]) => [method, create(parts)])),
})

/** The `:id` of the path. */
export const idOf = (request: Exchange['request']): string => (request.params as { id: string }).id
