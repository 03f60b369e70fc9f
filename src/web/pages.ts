// The pages by path, ready to be handed to the HTTP door.
import { readFileSync } from 'node:fs'
import type { Directory } from '../directory.ts'
import { createDocsPage } from './docs-page.ts'
import { createHomePage, type PageRequest } from './home-page.ts'

type Page = {
  readonly path: string
  readonly contentType: string
  readonly render: (request: PageRequest) => string | Promise<string>
}

const HTML_TYPE = 'text/html; charset=utf-8'

export function createPages(directory: Directory): Page[] {
  const style = readFileSync(new URL('./style.css', import.meta.url), 'utf8')
  return [
    { path: '/', contentType: HTML_TYPE, render: createHomePage(directory) },
    { path: '/docs', contentType: HTML_TYPE, render: createDocsPage() },
    { path: '/style.css', contentType: 'text/css; charset=utf-8', render: () => style },
  ]
}
