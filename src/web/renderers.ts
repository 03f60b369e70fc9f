// The renderer of each page and of each file of a page.
import type { LocalDirectory } from '../directory/directory.ts'
import type { DirectoryError } from '../domain/errors.ts'
import { createProbingPage, createStatusPage, renderAbout } from './about-pages.ts'
import { FAVICON, MARK_FILE, PICTURE_FILE, SCRIPT, STYLE, WALLET_SCRIPT } from './assets.ts'
import { createBadge } from './badge.ts'
import { createCatalogPage } from './catalog-page.ts'
import { renderDocs } from './docs-page.ts'
import { renderFailure } from './failure-page.ts'
import { createFeed, createMetadataFiles } from './metadata.ts'
import { createDownloads, createOperatorRoom } from './operator/subjects.ts'
import { createOwnPage } from './owner/own-page.ts'
import { createOwnServicePage } from './owner/own-service-page.ts'
import { createReportPage } from './owner/report-page.ts'
import { createSignInPage } from './owner/sign-in-page.ts'
import type { PageRequest, Rendered } from './page.ts'
import { createCheckPage, createRegisterPage } from './register/register-page.ts'
import { createSearchPage } from './search/search-page.ts'
import { createSellerPage } from './seller-page.ts'
import { createServicePage } from './service/service-page.ts'

const file = (text: string) => (): Rendered => ({ text })

export const createRenderers = (directory: LocalDirectory, securityContact = '') => ({
  failure: (request: PageRequest, error: DirectoryError) => renderFailure(request, error, securityContact),
  pages: {
    search: createSearchPage(directory),
    service: createServicePage(directory, securityContact),
    badge: createBadge(directory),
    seller: createSellerPage(directory),
    catalog: createCatalogPage(directory),
    about: renderAbout,
    probing: createProbingPage(directory),
    status: createStatusPage(directory),
    docs: renderDocs,
    style: file(STYLE),
    script: file(SCRIPT),
    walletScript: file(WALLET_SCRIPT),
    mark: file(MARK_FILE.text),
    favicon: (): Rendered => ({ text: '', bytes: FAVICON }),
    feed: createFeed(directory),
    picture: (): Rendered => ({ text: '', bytes: PICTURE_FILE }),
    ...createDownloads(directory),
    ...createMetadataFiles(directory, securityContact),
  },
  forms: {
    check: createCheckPage(directory),
    register: createRegisterPage(directory),
    signIn: createSignInPage(directory),
    own: createOwnPage(directory, securityContact),
    ownService: createOwnServicePage(directory, securityContact),
    report: createReportPage(directory),
    operator: createOperatorRoom(directory),
  },
})

export type Renderers = ReturnType<typeof createRenderers>
