// English requests that name two of a kind.
import type { NamedPair } from '../language.ts'
import { ENGLISH_LANGUAGE_NAMES } from './conversions.ts'

/** National currencies by names and codes that are unambiguous: "won" and "real" are not. */
const CURRENCY_CODES = 'usd,eur,jpy,gbp,chf,cny,inr,krw,cad,aud,mxn,brl,sgd,hkd,twd,thb,nzd,sek'.split(',')
const CURRENCY_NAMES: Readonly<Record<string, string>> = {
  usd: 'dollar,dollars,$',
  eur: 'euro,euros,€',
  jpy: 'yen,¥',
  gbp: 'pound,pounds,sterling,£',
  chf: 'franc,francs',
  cny: 'yuan,renminbi,rmb',
  inr: 'rupee,rupees',
  mxn: 'peso,pesos',
  sek: 'krona,kronor',
}

const CURRENCIES = CURRENCY_CODES.map(code => [code, ...(CURRENCY_NAMES[code]?.split(',') ?? [])])

const COINS = [
  'btc,bitcoin',
  'eth,ether',
  'sol',
  'doge,dogecoin',
  'xrp',
  'usdc',
  'usdt',
  'bnb',
  'ada',
  'ltc,litecoin',
]

const UNITS = [
  'kg,kilo,kilos,kilogram,kilograms',
  'pound,pounds,lb,lbs',
  'ounce,ounces,oz',
  'gram,grams',
  'km,kilometer,kilometers,kilometre,kilometres',
  'mile,miles',
  'meter,meters,metre,metres',
  'foot,feet',
  'inch,inches',
  'cm,centimeter,centimeters,centimetre,centimetres',
  'celsius',
  'fahrenheit',
  'liter,liters,litre,litres',
  'gallon,gallons',
]

const IDENTIFYING = 'identify,recognise,recognize,classify,detect'.split(',')

export const ENGLISH_PAIRS: readonly NamedPair[] = [
  {
    of: [IDENTIFYING, ENGLISH_LANGUAGE_NAMES],
    names: ['language identification', 'which language written'],
  },
  { of: CURRENCIES, names: ['exchange rates', 'currency conversion', 'forex'] },
  {
    of: [...COINS.map(names => names.split(',')), CURRENCIES.flat()],
    names: ['crypto prices', 'coin prices', 'token price'],
  },
  { of: UNITS.map(names => names.split(',')), names: ['unit conversion', 'units'] },
  {
    of: [IDENTIFYING, 'photo,photos,picture,pictures,image,images'.split(',')],
    names: ['image recognition', 'photo objects'],
  },
]
