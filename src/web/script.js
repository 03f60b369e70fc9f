// Progressive enhancement of pages that work without it: results while typing, forms without a reload, copy buttons.
// It fetches the page that a submit would load and replaces a part of the current one.

const TYPING_MS = 250

const ask = document.getElementById('ask')
let latest = 0

/** Fetches the page at a URL, or the page that a form post returns. */
async function load(address, options) {
  const response = await fetch(address, { headers: { Accept: 'text/html' }, ...options })
  const text = await response.text()
  return { response, page: new DOMParser().parseFromString(text, 'text/html') }
}

function replace(id, page) {
  const [old, fresh] = [document.getElementById(id), page.getElementById(id)]
  if (!old || !fresh) return false
  const open = old.querySelector('details.filters')?.open
  old.replaceWith(document.adoptNode(fresh))
  if (open) fresh.querySelector('details.filters').open = true
  enhance(fresh)
  return true
}

/** Shows the results at a URL; a later call wins over an earlier one. */
async function show(address) {
  const turn = ++latest
  const focused = document.activeElement
  const focus = focused?.form === ask && focused.id !== 'q' && [focused.name, focused.value]
  document.getElementById('found').setAttribute('aria-busy', 'true')
  // If the fetch fails, the browser loads the page itself and shows why.
  const { response, page } = await load(address).catch(() => ({}))
  if (turn !== latest) return
  if (!page || !replace('found', page)) return location.assign(address)
  if (response.redirected) history.replaceState(history.state, '', response.url)
  document.title = page.title
  document.querySelector('.ask').className = page.querySelector('.ask').className
  // Screen readers announce a change only of a status element that was there before.
  document.getElementById('said').textContent = document.getElementById('results')?.textContent ?? ''
  document.querySelector('.reader').replaceWith(page.querySelector('.reader'))
  if (focus) {
    const same = [...ask.elements].filter(({ name }) => name === focus[0])
    const chosen = same.find(({ type, value }) => type !== 'radio' || value === focus[1])
    chosen?.focus()
  }
}

function toAddress() {
  const query = new URLSearchParams([...new FormData(ask)].filter(([, value]) => value !== ''))
  return query.size > 0 ? `/?${query}` : '/'
}

/** Typing replaces one history entry; anything else adds one. */
function go(address, typing) {
  if (typing && history.state === 'typing') history.replaceState('typing', '', address)
  else history.pushState(typing ? 'typing' : null, '', address)
  return show(address)
}

function fill(address) {
  const given = new URL(address, location.href).searchParams
  ask.elements.q.value = given.get('q') ?? ''
  setWithout(given.get('without') ?? '')
}

/** What was removed from the question stays removed while more is typed. */
function setWithout(value) {
  if (!ask.elements.without)
    ask.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'without' }))
  ask.elements.without.value = value
}

if (ask) {
  let timer
  let isComposing = false
  const type = () => {
    clearTimeout(timer)
    if (box.value.trim() === '') setWithout('')
    // Scroll to the results at the first letter, before they arrive.
    if (box.value !== '') ask.parentElement.classList.remove('opening')
    timer = setTimeout(() => go(toAddress(), true), TYPING_MS)
  }
  const box = ask.elements.q
  // Wait until the input method has finished composing.
  box.addEventListener('compositionstart', () => {
    isComposing = true
  })
  box.addEventListener('compositionend', () => {
    isComposing = false
    type()
  })
  box.addEventListener('input', () => isComposing || type())
  ask.addEventListener('submit', event => {
    event.preventDefault()
    clearTimeout(timer)
    go(toAddress(), false)
  })
  document.addEventListener('change', ({ target }) => {
    if (target.form === ask && target !== box && ask.reportValidity()) go(toAddress(), false)
  })
  document.addEventListener('click', event => {
    const link = event.target.closest('.chips a, .pages a')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    fill(link.href)
    go(link.href, false).then(() => {
      if (link.rel) scrollTo({ top: 0 })
      document.getElementById('results')?.focus({ preventScroll: true })
    })
  })
  addEventListener('popstate', () => {
    fill(location.href)
    show(location.href)
  })
}

/** Sends the registration form without a reload, so that a check does not clear the key field. */
document.addEventListener('submit', async event => {
  const form = event.target
  if (form.id !== 'register') return
  event.preventDefault()
  if (form.ariaBusy === 'true') return
  const data = new URLSearchParams(new FormData(form, event.submitter))
  // A button named "action" shadows the property form.action.
  const { key } = form.elements
  form.setAttribute('aria-busy', 'true')
  // A host is not asked many times a second, so a check can take seconds.
  const { busy } = event.submitter?.dataset ?? {}
  if (busy) event.submitter.textContent = busy
  const { response, page } = await load(form.getAttribute('action'), { method: 'POST', body: data }).catch(
    () => ({}),
  )
  if (!response || (!response.redirected && !page.getElementById('register')))
    return sendPlainly(form, event.submitter)
  if (response.redirected) return location.assign(response.url)
  const main = document.getElementById('main')
  main.replaceChildren(...document.adoptNode(page.getElementById('main')).childNodes)
  if (key) document.getElementById('key').value = key.value
  enhance(main)
  main.querySelector('[role=alert], .report')?.focus()
})

/** Submits natively with the pressed button; the browser reports what fails. */
function sendPlainly(form, { name, value }) {
  form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  form.submit()
}

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('button.copy')
  if (!button) return
  const label = button.textContent
  await navigator.clipboard.writeText(button.dataset.copy)
  button.textContent = button.dataset.done
  setTimeout(() => {
    button.textContent = label
  }, 1500)
})

/** In all two and a half minutes: a probe on request runs within seconds, or a minute after the one before. */
const WAITS_MS = [1, 2, 2, 3, 5, 5, 10, 15, 20, 20, 30, 40].map(seconds => 1000 * seconds)

/** Fetches a part that waits for a probe until the result is there. After that it is for the reader to reload. */
async function watch(part) {
  const tell = isWatched => {
    for (const note of part.querySelectorAll('[data-watched]'))
      note.hidden = (note.dataset.watched === 'yes') !== isWatched
  }
  let shown = part.textContent
  tell(true)
  for (const wait of WAITS_MS) {
    await new Promise(resolve => setTimeout(resolve, wait))
    const { page } = await load(location.href, { cache: 'no-store' }).catch(() => ({}))
    const fresh = page?.getElementById(part.id)
    if (!fresh) continue
    const isOver = !('waiting' in fresh.dataset)
    // What is waited for may show how far it is; what is being filled in stays.
    if (!isOver && (fresh.textContent === shown || part.querySelector('[open]'))) continue
    shown = fresh.textContent
    part.replaceChildren(...document.adoptNode(fresh).childNodes)
    tell(true)
    if (!isOver) continue
    // What the probe looked for at the domain, and the verdict after it.
    for (const id of ['domain', 'badge']) replace(id, page)
    return enhance(part)
  }
  tell(false)
}
const waiting = document.querySelector('[data-waiting]')
if (waiting) watch(waiting)

/** Shows elements that need this script and hides those it replaces. */
function enhance(part) {
  if (navigator.clipboard) for (const button of part.querySelectorAll('button.copy')) button.hidden = false
  for (const button of part.querySelectorAll('button[data-auto]')) button.hidden = true
}
enhance(document)
