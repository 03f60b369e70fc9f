// Bounds how many messages are on their way to one host, however many webhooks lead there.

export const MAX_PER_HOST = 8

export type HostSlots = {
  /** The way to leave, which must be called; undefined where the host has enough to do. */
  enter(host: string): (() => void) | undefined
}

export function createHostSlots(): HostSlots {
  const inFlight = new Map<string, number>()
  return {
    enter(host) {
      const count = inFlight.get(host) ?? 0
      if (count >= MAX_PER_HOST) return undefined
      inFlight.set(host, count + 1)
      return () => {
        const left = inFlight.get(host)! - 1
        if (left > 0) inFlight.set(host, left)
        else inFlight.delete(host)
      }
    },
  }
}
