/** Lets requests through between two steps of long work. */
export const breath = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
