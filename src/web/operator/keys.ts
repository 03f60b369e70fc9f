// API keys: those of operators and of everybody they gave one to, and the newest of wallets.
import { isValidKey } from '../../directory/keys.ts'
import type { OwnKey } from '../../domain/sign-in.ts'
import { systemClock } from '../../runtime/clock.ts'
import { html } from '../html.ts'
import { toCopyable, toTime } from '../layout.ts'
import type { View } from '../view.ts'
import { type Item, type Subject, toAddable, toAsked, toForm, toItems, toNews } from './room.ts'

/** Of those whose number has no bound: every sign-in of a wallet makes a key. */
const MAX_SHOWN = 20

/** With what most policies say. */
const POLICY_EXAMPLE = JSON.stringify({
  levels: ['verified'],
  maxUsdPrice: '0.01',
  allow: ['collection:approved'],
  budgetPerDay: '1.00',
})

export const KEYS: Subject = {
  async show(visit) {
    const { directory, view, by } = visit
    const { operator } = view.words
    const [all, [self]] = await Promise.all([directory.allKeys(by), directory.listKeys(by)])
    const keys = all.toReversed()
    const now = systemClock.now()
    const { valid = [], ended = [] } = Object.groupBy(keys, key => (isValidKey(key, now) ? 'valid' : 'ended'))
    const own = valid.filter(({ wallet }) => wallet === null)
    const ofWallets = valid.filter(({ wallet }) => wallet !== null)
    const toList = (shown: readonly OwnKey[]) =>
      toItems(
        visit,
        shown.map(key => toItem(view, key, isValidKey(key, now), key.id === self?.id)),
        operator.noneHidden,
      )
    const isAsked = view.request.parameters.step !== undefined
    const form = toForm(visit, {
      fields: [
        { name: 'name' },
        {
          name: 'scopes',
          kind: 'choice',
          values: operator.scopes,
          value: isAsked ? 'admin' : 'register',
        },
        { name: 'days', kind: 'number', isOptional: true },
        { name: 'policy', kind: 'area', isOptional: true },
      ],
      buttons: [{ action: 'create' }],
    })
    const example = html`<h3>${operator.policyExample}</h3><p>${toCopyable(view, POLICY_EXAMPLE, operator.policyExample)}</p><p class="note"><a href="${view.href('/docs/operating')}#schema-Policy">${operator.policyFields}</a></p>`
    const lists = html`<section><h2>${operator.ownKeys}</h2>${toList(own)}</section>
<section><h2>${operator.walletKeys(view.number(ofWallets.length))}</h2><p class="note">${operator.walletKeysNote}</p>${toList(ofWallets.slice(0, MAX_SHOWN))}</section>
<section><h2>${operator.endedKeys}</h2>${toList(ended.slice(0, MAX_SHOWN))}</section>`
    return toAddable(visit, 'create', html`${form}${example}`, lists, isAsked)
  },

  acts: {
    async create({ directory, view, by }, { name, scopes, days, policy }) {
      const made = await directory.createKey(
        { name, scopes: [scopes], days: days ? Number(days) : null, policy: readPolicyText(policy) },
        by,
      )
      const { operator, register } = view.words
      return toNews(
        operator.created(made.name),
        html`<p>${toCopyable(view, made.key, register.fields.key![0])}</p><p>${operator.createdNote}</p>${toAllowed(view, made.allows)}`,
      )
    },
    async change({ directory, view, by }, { id = '', policy }) {
      const { name, allows } = await directory.changeKey(id, { policy: readPolicyText(policy) }, by)
      return toNews(`${view.words.operator.changed} ${name}`, toAllowed(view, allows))
    },
    async revoke({ directory, by }, { id = '' }) {
      await directory.revokeAnyKey(id, by)
    },
  },
}

/** As JSON; empty: none. The directory tells what is wrong with it. */
function readPolicyText(text = ''): unknown {
  try {
    return text.trim() === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}

const toAllowed = (view: View, allows: number | null) =>
  allows === null ? undefined : html`<p>${view.words.operator.allows(allows, view.number(allows))}</p>`

function toItem(view: View, key: OwnKey, isValid: boolean, isSelf: boolean): Item {
  const { operator, colon } = view.words
  const { id, name, scopes, wallet, createdAt, expiresAt, revokedAt, lastUsedAt, policy } = key
  const text = policy ? JSON.stringify(policy) : ''
  const dates: readonly (readonly [label: string, at: string | null])[] = [
    [operator.createdAt, createdAt],
    [operator.lastUsed, lastUsedAt],
    revokedAt === null ? [operator.expires, expiresAt] : [operator.revokedAt, revokedAt],
  ]
  return {
    name: `${name} ${id}`,
    title: html`<b>${name}</b> <code>${id}</code>`,
    notes: [
      isSelf ? html`<b>${operator.ownKey}</b>` : undefined,
      wallet === null
        ? scopes.map(scope => operator.scopes[scope]).join(', ') || operator.noScopes(policy !== null)
        : undefined,
      policy ? html`<code>${text}</code>` : undefined,
      html`${dates.map(([label, at], i) => html`${i > 0 ? ' · ' : ''}${label}${colon}${at ? toTime(view, at) : operator.never}`)}`,
    ],
    sent: { id },
    ...(isValid && {
      further: [
        wallet === null
          ? {
              title: operator.fields.policy![0],
              input: html`<textarea name="policy" rows="3" aria-label="${operator.fields.policy![0]}: ${name}">\n${text}</textarea>`,
              buttons: [{ action: 'change' }],
            }
          : undefined,
        toAsked(view, 'revoke', isSelf ? operator.revokeOwnSure : operator.revokeSure),
      ],
    }),
  }
}
