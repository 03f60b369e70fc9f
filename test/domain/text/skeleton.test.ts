import { expect, test } from 'bun:test'
import { skeletonOf } from '../../../src/domain/text/text.ts'
import { fc } from '../../fast-check.ts'

test.each([
  ['OpenAI', 'openai'],
  ['OpenAI', 'OpenAl'],
  ['OpenAI', 'Open-A1'],
  ['OpenAI', '0pen AI'],
  ['OpenAI', 'Оре\u043fАІ'],
  ['OpenAI', 'ΟρenΑΙ'],
  ['OpenAI', 'ＯｐｅｎＡＩ'],
  ['OpenAI', '𝗢𝗽𝗲𝗻𝗔𝗜'],
  ['OpenAI', 'Opeո\u200bAI'],
  ['OpenAI', 'ÓpënÅI'],
  ['OpenAI', 'Open.AI'],
  ['OpenAI', 'Open\u2800AI'],
  ['OpenAI', 'ᴏᴘᴇɴᴀɪ'],
  ['Sakura Receipts', 'Sakura Receipts™'],
  ['Sakura Receipts', '“Sakura Receipts” ®'],
  ['Sakura Receipts', 'Sakura Receipts (official)'],
  ['Sakura Receipts', 'Official: Sakura Receipts'],
  ['Sakura Receipts', 'Sakura Receipts - Official API'],
  ['Sakura Receipts', 'The Official Sakura Receipts (verified ✓)'],
  ['Sakura Receipts', 'Sakura Receipts®︎ Official Site'],
  ['Sakura Receipts', 'Sakura Receipts ⭐'],
  ['Sakura Receipts', 'Sakura Receipts 🇯🇵 🅥'],
  ['さくら領収書', 'さくら領収書（公式サイト）⭐️'],
  ['Sakura Receipts', 'Official Sakura Receipts ✅'],
  ['Sakura Receipts', '5akura Receiptꮪ'],
  ['さくら領収書', '【公式】さくら領収書'],
  ['modern vision', 'modem νision'],
  ['PayPal', 'РауРаl'],
  ['HELLO', 'НЕLLО'],
  ['ΗΕLLΟ', 'hello'],
  ['погода', 'ПОГОДА'],
  ['カタログ', '力夕口グ'],
  ['天気 API', '天気ＡＰＩ'],
  ['ｶﾞｲﾄﾞ', 'ガイド'],
])('Names that look alike have the same skeleton: %s and %s', (one, other) => {
  expect(skeletonOf(one)).toBe(skeletonOf(other))
})

test.each([
  ['Weather A', 'Weather B'],
  ['C++ tools', 'C# tools'],
  ['ガス料金', 'カス料金'],
  ['Tide', 'Tides'],
  ['Official gazette', 'Gazette of officials'],
  ['Verified contracts', 'Contracts'],
  ['東京', '京東'],
  ['کتاب', 'كتابة'],
  ['🚀', '🛰'],
  ['...', '---'],
])('Names that look different have different skeletons: %s and %s', (one, other) => {
  expect(skeletonOf(one)).not.toBe(skeletonOf(other))
})

test('Every name has a skeleton that is not empty, and case, width and white space do not change it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 40 }), name => {
      expect(skeletonOf(name)).not.toBe('')
    }),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zA-Z0-9 ]*[a-zA-Z0-9]$/), name => {
      const wide = name.replace(/[!-~]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))
      expect(skeletonOf(name.toUpperCase())).toBe(skeletonOf(name))
      expect(skeletonOf(wide)).toBe(skeletonOf(name))
      expect(skeletonOf(name.replaceAll(' ', ''))).toBe(skeletonOf(name))
    }),
    { numRuns: 1_000 },
  )
})
