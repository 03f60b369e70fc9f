// A route of the API: the handlers of its methods, each with its OpenAPI description.
import type { LocalDirectory } from '../../directory/directory.ts'
import type { ProbeMeter } from '../../domain/standing/standing.ts'
import type { WebhookMeter } from '../../domain/webhooks.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { OperationObject } from '../openapi/describe.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import type { KeyCheck, ReadCallerNetwork, Requester } from '../pipeline/caller.ts'
import type { Enter } from '../pipeline/limits.ts'
import type { RequestMeter } from '../pipeline/pipeline.ts'
import type { Exchange, Handler, Incoming, Method, Route } from '../pipeline/route.ts'

export type MetricsReaders = 'local' | 'open' | 'off'

/** The dependencies of handlers; each takes what it needs. */
export type ApiDeps = {
  readonly directory: LocalDirectory
  readonly keys: KeyCheck
  readonly clock: Clock
  readonly log: Log
  readonly directoryName: string
  /** Prefix of paths in links; empty: links are relative. */
  readonly publicUrl: string
  readonly document: OpenApiDocument
  readonly readCallerNetwork: ReadCallerNetwork
  readonly readRequester: (incoming: Incoming) => Requester
  /** Aborted when the server shuts down: streams end. */
  readonly closing: AbortSignal
  readonly enter: Enter
  readonly meter: RequestMeter
  /** undefined: this process does not probe. */
  readonly probing?: ProbeMeter | undefined
  /** undefined: no webhooks are sent. */
  readonly webhooks?: WebhookMeter | undefined
  readonly metrics: MetricsReaders
}

/** One method of a route. The operation is required, so that the document describes everything the API does. */
export type Endpoint = {
  /** Created with the document, which is not needed at startup. */
  readonly operation: () => OperationObject
  readonly create: (deps: ApiDeps) => Handler
}

export type ApiRoute = Omit<Route, 'methods' | 'isPage'> & {
  readonly methods: Readonly<Partial<Record<Method, Endpoint>>>
}

export const openRoute = ({ methods, ...route }: ApiRoute, deps: ApiDeps): Route => ({
  ...route,
  methods: Object.fromEntries(Object.entries(methods).map(([method, { create }]) => [method, create(deps)])),
})

/** The `:id` of the path. */
export const idOf = (request: Exchange['request']): string => (request.params as { id: string }).id
