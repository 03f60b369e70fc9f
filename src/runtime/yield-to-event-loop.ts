/** Lets requests run between two steps of long work. */
export const yieldToEventLoop = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
