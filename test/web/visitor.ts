// A visitor with cookies and forms, without a browser: it sends back the cookies that it got, unless it acts from another site.
import { ask } from '../http/directory-server.ts'

export type Visitor = {
  /** The cookies that it holds, by name. */
  readonly cookies: Map<string, string>
  /** What it was last told about cookies. */
  readonly told: string[]
  get(path: string): Promise<Response>
  /** Sends a form with the token of the page that it is on. */
  send(path: string, form: Record<string, string>, options?: { readonly at?: string }): Promise<Response>
  /** The same without cookies of ours, as from a page of another site. */
  sendFromElsewhere(path: string, form: Record<string, string>): Promise<Response>
}

export function createVisitor(url: string): Visitor {
  const cookies = new Map<string, string>()
  const told: string[] = []
  const header = () => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  const keep = (response: Response): Response => {
    for (const line of response.headers.getSetCookie()) {
      told.push(line)
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/Max-Age=0/.test(line)) cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    return response
  }
  const post = (path: string, form: Record<string, string>, headers: Record<string, string>) =>
    ask(url + path, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual', headers })
  const get = async (path: string) => keep(await ask(url + path, { headers: header(), redirect: 'manual' }))
  return {
    cookies,
    told,
    get,
    async send(path, form, { at = path } = {}) {
      const token = /name="token" value="([^"]*)"/.exec(await (await get(at)).text())?.[1] ?? ''
      return keep(await post(path, { token, ...form }, header()))
    },
    sendFromElsewhere: (path, form) => post(path, form, {}),
  }
}
