// Counts requests and their duration; formatted only when scraped.

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'other'] as const
const STATUSES = [200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 429, 500, 503]
const BUCKETS_MS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000]

const STATUS_PLACE = new Uint8Array(600)
STATUSES.forEach((status, place) => {
  STATUS_PLACE[status] = place
})

/** The counts of one route. */
export class RouteMeter {
  readonly #counts = new Float64Array(METHODS.length * STATUSES.length)
  readonly #buckets = new Float64Array(BUCKETS_MS.length + 1)
  #sumMs = 0
  #begun = 0
  #ended = 0

  constructor(readonly path: string) {}

  get inFlight(): number {
    return this.#begun - this.#ended
  }

  begin(): void {
    this.#begun++
  }

  end(method: string, status: number, ms: number): void {
    this.#ended++
    const known = METHODS.indexOf(method as (typeof METHODS)[number])
    const methodPlace = known < 0 ? METHODS.length - 1 : known
    this.#counts[methodPlace * STATUSES.length + STATUS_PLACE[status]!]!++
    let bucket = 0
    while (bucket < BUCKETS_MS.length && ms > BUCKETS_MS[bucket]!) bucket++
    this.#buckets[bucket]!++
    this.#sumMs += ms
  }

  requestLines(): string[] {
    const lines: string[] = []
    this.#counts.forEach((count, at) => {
      if (count === 0) return
      const method = METHODS[Math.floor(at / STATUSES.length)]
      const labels = `route="${this.path}",method="${method}",status="${STATUSES[at % STATUSES.length]}"`
      lines.push(`shirube_http_requests_total{${labels}} ${count}`)
    })
    return lines
  }

  /** Also before the first request: a rate needs a start. */
  durationLines(): string[] {
    const name = 'shirube_http_request_duration_seconds'
    const route = `route="${this.path}"`
    let total = 0
    const lines = BUCKETS_MS.map((ms, bucket) => {
      total += this.#buckets[bucket]!
      return `${name}_bucket{${route},le="${ms / 1000}"} ${total}`
    })
    return [
      ...lines,
      `${name}_bucket{${route},le="+Inf"} ${this.#ended}`,
      `${name}_sum{${route}} ${this.#sumMs / 1000}`,
      `${name}_count{${route}} ${this.#ended}`,
    ]
  }
}

export type RequestMeter = {
  route(path: string): RouteMeter
  /** In the Prometheus text format. */
  toLines(): string[]
}

export function createRequestMeter(): RequestMeter {
  const routes: RouteMeter[] = []
  return {
    route(path) {
      const meter = new RouteMeter(path)
      routes.push(meter)
      return meter
    },
    toLines: () => [
      '# HELP shirube_http_requests_total Answered requests.',
      '# TYPE shirube_http_requests_total counter',
      ...routes.flatMap(route => route.requestLines()),
      '# HELP shirube_http_request_duration_seconds Time from the request to its answer; of a stream, to its first byte.',
      '# TYPE shirube_http_request_duration_seconds histogram',
      ...routes.flatMap(route => route.durationLines()),
      '# HELP shirube_http_requests_in_flight Requests that wait for their answer.',
      '# TYPE shirube_http_requests_in_flight gauge',
      `shirube_http_requests_in_flight ${routes.reduce((sum, route) => sum + route.inFlight, 0)}`,
    ],
  }
}
