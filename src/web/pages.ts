// The pages by path, ready to be handed to the HTTP server.
import type { LocalDirectory } from '../directory/directory.ts'
import { renderAbout } from './about-page.ts'
import { FAVICON, SCRIPT, STYLE, WALLET_SCRIPT } from './assets.ts'
import { createBadge } from './badge.ts'
import { createCatalogPage } from './catalog-page.ts'
import { createCensusPage } from './census-page.ts'
import { createComparePage } from './compare-page.ts'
import { createDocsPage } from './docs-page.ts'
import { createFeedPage } from './found/feeds.ts'
import { createFoundFiles } from './found/files.ts'
import { MARK_FILE } from './icons.ts'
import { createOwnPage } from './owner/own-page.ts'
import { createOwnServicePage } from './owner/own-service-page.ts'
import { createSignInPage } from './owner/sign-in-page.ts'
import type { Page } from './page.ts'
import { createPicturePages } from './picture/pages.ts'
import { createRegisterPage } from './register-page.ts'
import { createSearchPage } from './search-page.ts'
import { createSellerPage } from './seller-page.ts'
import { createServicePage } from './service-page.ts'
import { createStatusPage } from './status-page.ts'

const HTML_TYPE = 'text/html; charset=utf-8'
const SVG_TYPE = 'image/svg+xml; charset=utf-8'

const file = (path: string, contentType: string, text: string): Page => ({
  path,
  contentType,
  cache: 'forever',
  render: () => ({ text }),
})

export function createPages(
  directory: LocalDirectory,
  { securityContact }: { readonly securityContact?: string | undefined } = {},
): Page[] {
  const docs = createDocsPage()
  return [
    { path: '/', contentType: HTML_TYPE, render: createSearchPage(directory) },
    { path: '/services/:id', contentType: HTML_TYPE, render: createServicePage(directory) },
    {
      path: '/services/:id/badge.svg',
      contentType: SVG_TYPE,
      cache: 'minutes',
      render: createBadge(directory),
    },
    { path: '/compare', contentType: HTML_TYPE, render: createComparePage(directory) },
    { path: '/sellers/:id', contentType: HTML_TYPE, render: createSellerPage(directory) },
    { path: '/register', contentType: HTML_TYPE, cache: 'never', ...createRegisterPage(directory) },
    { path: '/sign-in', contentType: HTML_TYPE, cache: 'never', ...createSignInPage(directory) },
    { path: '/yours', contentType: HTML_TYPE, cache: 'never', ...createOwnPage(directory) },
    { path: '/yours/:id', contentType: HTML_TYPE, cache: 'never', ...createOwnServicePage(directory) },
    { path: '/catalog', contentType: HTML_TYPE, render: createCatalogPage(directory) },
    { path: '/census', contentType: HTML_TYPE, cache: 'minutes', render: createCensusPage(directory) },
    { path: '/about', contentType: HTML_TYPE, render: renderAbout },
    { path: '/status', contentType: HTML_TYPE, cache: 'never', render: createStatusPage(directory) },
    { path: '/docs', contentType: HTML_TYPE, render: docs },
    { path: '/docs/:id', contentType: HTML_TYPE, render: docs },
    file('/style.css', 'text/css; charset=utf-8', STYLE),
    file('/script.js', 'text/javascript; charset=utf-8', SCRIPT),
    file('/wallet.js', 'text/javascript; charset=utf-8', WALLET_SCRIPT),
    file('/mark.svg', SVG_TYPE, MARK_FILE.text),
    {
      path: '/favicon.ico',
      contentType: 'image/x-icon',
      cache: 'minutes',
      render: () => ({ text: '', bytes: FAVICON }),
    },
    createFeedPage(directory),
    ...createPicturePages(directory),
    ...createFoundFiles(directory, securityContact),
  ]
}
