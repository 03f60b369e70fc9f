import { expect, test } from 'bun:test'
import {
  CATEGORY_ID,
  categoryFromLabel,
  categoryLabels,
  KNOWN_CATEGORIES,
} from '../../../src/domain/listing/categories.ts'

test('known ids have labels in both languages, without regard to case', () => {
  expect(categoryLabels('weather')).toEqual({ en: 'Weather', ja: '天気' })
  expect(categoryLabels('WEATHER')).toEqual({ en: 'Weather', ja: '天気' })
  expect(Object.keys(KNOWN_CATEGORIES)).toHaveLength(30)
})

test('an unknown id gets a readable label made from it', () => {
  expect(categoryLabels('image-generation').en).toBe('Image Generation')
  expect(categoryLabels('ml:vision/ocr_v2').en).toBe('Ml Vision Ocr V2')
  expect(categoryLabels('R&D').en).toBe('R&D')
  expect(categoryLabels('天気予報').en).toBe('天気予報')
})

test('names of built-in properties are ids like any other', () => {
  expect(categoryLabels('constructor').en).toBe('Constructor')
  expect(categoryLabels('__proto__').en).toBe('Proto')
})

test('labels map back to ids', () => {
  for (const [id, { en }] of Object.entries(KNOWN_CATEGORIES)) expect(categoryFromLabel(en)).toBe(id)
  expect(categoryFromLabel('Image Generation')).toBe('image-generation')
})

test('ids of any script are well-formed, others are not', () => {
  for (const id of ['ai', '天気', 'a', '3d', 'image gen', 'a.b_c:d/e&f-g', 'été', 'x'.repeat(64)])
    expect(id).toMatch(CATEGORY_ID)
  for (const id of ['', '-a', ' a', 'a!', 'a\nb', '<b>', 'x'.repeat(65), '😀'])
    expect(id).not.toMatch(CATEGORY_ID)
})
