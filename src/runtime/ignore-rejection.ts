/** Prevents an unhandled rejection; callers that await the promise still get the error. */
export function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
