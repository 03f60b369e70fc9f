// Pictures for link previews. Only what is verified is drawn under its own name: a picture of the house is no place for
// a text that costs nothing. Nothing is on it that goes stale, like status or price, since previewers keep it for weeks.
import type { LocalDirectory } from '../../directory/directory.ts'
import { categoryLabels } from '../../domain/categories.ts'
import { chainLabel } from '../../domain/chains.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { toRefusal } from '../failure.ts'
import type { PageRequest, Rendered } from '../page.ts'
import { createView } from '../view.ts'
import type { Said } from './draw.ts'
import { createGallery } from './gallery.ts'
import { HOME_PICTURE } from './places.ts'

const BRAND = 'Shirube 標'

export function createPictures(directory: LocalDirectory, clock: Clock = systemClock) {
  const keep = createGallery(clock)
  return {
    homePicture: (request: PageRequest): Rendered => toRendered(keep.home(sayHome(request))),
    servicePicture(request: PageRequest): Rendered {
      try {
        const said = sayService(request, directory)
        const bytes = said && keep.service(said)
        return bytes ? toRendered(bytes) : { text: '', location: HOME_PICTURE }
      } catch (error) {
        return { text: '', failed: toRefusal(error).code }
      }
    },
  }
}

const toRendered = (bytes: Uint8Array): Rendered => ({ text: '', bytes })

/** The address alone tells the language: a cache in between looks at nothing else. */
const viewOf = (request: PageRequest) => createView({ ...request, acceptLanguage: null })

function sayHome(request: PageRequest): Said {
  const { words } = viewOf(request)
  return { brand: BRAND, title: words.tagline, notes: [new URL(request.home).host] }
}

/** @throws DirectoryError `not_found`, `hidden` */
function sayService(request: PageRequest, { reads }: LocalDirectory): Said | undefined {
  const { language } = viewOf(request)
  const { name, endpoint, category, x402Config, status } = reads.get(request.id).decode()
  if (status !== 'verified') return undefined
  return {
    brand: BRAND,
    title: name,
    notes: [
      URL.parse(endpoint)?.host ?? '',
      `${categoryLabels(category)[language]} · ${chainLabel(x402Config.network)}`,
    ],
  }
}
