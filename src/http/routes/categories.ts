// The categories, with the number of services in each.

import { categoriesExample } from '../../directory/examples/service.ts'
import { Encoded } from '../../domain/json/encoded.ts'
import { arrayOf, cachedRead, IF_NONE_MATCH, json, PAGE_HEADERS } from '../openapi/describe.ts'
import { answerJson } from '../pipeline/answer.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

const CATEGORIES = '/api/categories'

const list: Endpoint = {
  operation: () => ({
    operationId: 'listCategories',
    tags: ['services'],
    summary: 'List categories',
    description: 'With their labels in every language and the number of services in each.',
    parameters: [IF_NONE_MATCH],
    responses: cachedRead('All categories', PAGE_HEADERS, json(arrayOf('Category'), categoriesExample)),
  }),
  create({ directory, publicUrl }) {
    const address = `${publicUrl}${CATEGORIES}`
    return async ({ request }) => {
      const categories = await directory.categories()
      return answerJson(request, Encoded.of(categories), {
        Link: `<${address}>; rel="first", <${address}>; rel="last"`,
        'X-Total-Count': String(categories.length),
      })
    }
  },
}

export const CATEGORY_ROUTE: ApiRoute = { path: CATEGORIES, methods: { GET: list } }
