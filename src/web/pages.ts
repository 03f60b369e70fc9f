// The pages by path, for the HTTP server. Their renderers are loaded by the first request for a page: the start does not wait 45 ms
// for them, and many directories are used by programs only.
import type { LocalDirectory } from '../directory/directory.ts'
import type { DirectoryError } from '../domain/errors.ts'
import {
  BACKUP_PATH,
  HIDDEN_FILE,
  type Page,
  type PageRequest,
  type Rendered,
  SPENDING_FILE,
} from './page.ts'
import type { Renderers } from './renderers.ts'

const HTML_TYPE = 'text/html; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
const SVG_TYPE = 'image/svg+xml; charset=utf-8'
const XML_TYPE = 'application/xml; charset=utf-8'

export type Pages = {
  readonly pages: readonly Page[]
  /** The error page for browsers. */
  renderFailure(request: PageRequest, error: DirectoryError): Promise<Rendered>
}

/** A page that ranks the catalog for the sentence in `q`, if there is one. A second `?` ends a part, lest each be read to the end. */
const withSentence =
  (cost: number) =>
  ({ url }: { readonly url: string }): number =>
    /[?&](q=.|[^=&?]*%)/.test(url) ? 40 : cost

export function createPages(
  directory: LocalDirectory,
  {
    securityContact,
    isSample,
  }: { readonly securityContact?: string | undefined; readonly isSample?: boolean } = {},
): Pages {
  let loading: Promise<Renderers> | undefined
  const load = (): Promise<Renderers> => {
    loading ??= import('./renderers.ts').then(({ createRenderers }) =>
      createRenderers(directory, securityContact),
    )
    return loading
  }
  const by =
    (name: keyof Renderers['pages']): Page['render'] =>
    async request =>
      (await load()).pages[name]({ ...request, isSample })
  const formBy = (name: keyof Renderers['forms']): Required<Pick<Page, 'render' | 'submit'>> => ({
    render: async request => (await load()).forms[name].render({ ...request, isSample }),
    submit: async request => (await load()).forms[name].submit({ ...request, isSample }),
  })
  const file = (path: string, contentType: string, name: keyof Renderers['pages']): Page => ({
    path,
    contentType,
    cache: 'forever',
    render: by(name),
  })
  const found = (path: string, contentType: string, name: keyof Renderers['pages']): Page => ({
    path,
    contentType,
    cache: 'minutes',
    render: by(name),
  })

  const pages: readonly Page[] = [
    { path: '/', contentType: HTML_TYPE, cost: withSentence(20), render: by('search') },
    { path: '/services/:id', contentType: HTML_TYPE, cost: 15, render: by('service') },
    { path: '/services/:id/badge.svg', contentType: SVG_TYPE, render: by('badge') },
    { path: '/services/:id/report', contentType: HTML_TYPE, cache: 'never', ...formBy('report') },
    { path: '/sellers/:id', contentType: HTML_TYPE, render: by('seller') },
    { path: '/check', contentType: HTML_TYPE, cache: 'never', ...formBy('check') },
    { path: '/register', contentType: HTML_TYPE, cache: 'never', ...formBy('register') },
    { path: '/sign-in', contentType: HTML_TYPE, cache: 'never', ...formBy('signIn') },
    { path: '/yours', contentType: HTML_TYPE, cache: 'never', ...formBy('own') },
    {
      path: '/yours/:id',
      contentType: HTML_TYPE,
      cost: withSentence(5),
      cache: 'never',
      ...formBy('ownService'),
    },
    { path: '/operator', contentType: HTML_TYPE, cache: 'never', ...formBy('operator') },
    { path: '/operator/:id', contentType: HTML_TYPE, cache: 'never', ...formBy('operator') },
    { path: HIDDEN_FILE, contentType: 'application/json', cache: 'never', render: by('hiddenList') },
    {
      path: SPENDING_FILE,
      contentType: 'text/csv; charset=utf-8',
      cache: 'never',
      render: by('spendingFile'),
    },
    {
      path: `${BACKUP_PATH}:id`,
      contentType: 'application/octet-stream',
      cache: 'never',
      render: by('backup'),
    },
    { path: '/catalog', contentType: HTML_TYPE, cost: 20, render: by('catalog') },
    { path: '/about', contentType: HTML_TYPE, render: by('about') },
    { path: '/probing', contentType: HTML_TYPE, render: by('probing') },
    { path: '/status', contentType: HTML_TYPE, cache: 'never', render: by('status') },
    { path: '/docs', contentType: HTML_TYPE, render: by('docs') },
    { path: '/docs/:id', contentType: HTML_TYPE, render: by('docs') },
    file('/style.css', 'text/css; charset=utf-8', 'style'),
    file('/script.js', 'text/javascript; charset=utf-8', 'script'),
    file('/wallet.js', 'text/javascript; charset=utf-8', 'walletScript'),
    file('/mark.svg', SVG_TYPE, 'mark'),
    found('/favicon.ico', 'image/x-icon', 'favicon'),
    { ...found('/feeds/:id', 'application/atom+xml; charset=utf-8', 'feed'), cost: withSentence(10) },
    found('/picture.png', 'image/png', 'picture'),
    found('/robots.txt', TEXT_TYPE, 'robots'),
    found('/sitemap.xml', XML_TYPE, 'sitemapIndex'),
    { ...found('/sitemaps/:id', XML_TYPE, 'sitemap'), cost: 10 },
    found('/opensearch.xml', 'application/opensearchdescription+xml; charset=utf-8', 'openSearch'),
    ...(securityContact === undefined ? [] : [found('/.well-known/security.txt', TEXT_TYPE, 'security')]),
  ]
  return {
    pages,
    renderFailure: async (request, error) => (await load()).failure({ ...request, isSample }, error),
  }
}
