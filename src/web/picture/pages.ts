// Pictures for link previews. Only a verified service gets a picture with its name: anyone can register a name, and the picture
// carries this directory's brand. Status and price are left out, since previewers cache pictures for weeks.
import type { LocalDirectory } from '../../directory/directory.ts'
import { chainLabel } from '../../domain/chains/chains.ts'
import { categoryLabels } from '../../domain/listing/categories.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { toRefusal } from '../failure.ts'
import type { PageRequest, Rendered } from '../page.ts'
import { createView } from '../view.ts'
import type { PictureText } from './draw.ts'
import { HOME_PICTURE } from './paths.ts'
import { createPictureCache } from './picture-cache.ts'

const BRAND = 'Shirube 標'

export function createPictures(directory: LocalDirectory, clock: Clock = systemClock) {
  const cache = createPictureCache(clock)
  return {
    homePicture: (request: PageRequest): Rendered => toRendered(cache.home(homeText(request))),
    servicePicture(request: PageRequest): Rendered {
      try {
        const text = serviceText(request, directory)
        const bytes = text && cache.service(text)
        return bytes ? toRendered(bytes) : { text: '', location: HOME_PICTURE }
      } catch (error) {
        return { text: '', failed: toRefusal(error).code }
      }
    },
  }
}

const toRendered = (bytes: Uint8Array): Rendered => ({ text: '', bytes })

/** The URL alone decides the language, because a shared cache keys on nothing else. */
const viewOf = (request: PageRequest) => createView({ ...request, acceptLanguage: null })

function homeText(request: PageRequest): PictureText {
  const { words } = viewOf(request)
  return { brand: BRAND, title: words.tagline, notes: [new URL(request.home).host] }
}

/** @throws DirectoryError `not_found`, `hidden` */
function serviceText(request: PageRequest, { reads }: LocalDirectory): PictureText | undefined {
  const { language } = viewOf(request)
  const { name, endpoint, category, x402Config, status } = reads.get(request.id).decode()
  if (status !== 'verified' || reads.isSample(request.id)) return undefined
  return {
    brand: BRAND,
    title: name,
    notes: [
      URL.parse(endpoint)?.host ?? '',
      `${categoryLabels(category)[language]} · ${chainLabel(x402Config.network)}`,
    ],
  }
}
