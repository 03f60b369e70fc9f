import { describe, expect, test } from 'bun:test'
import { type Column, cut, table, widthOf } from '../../../src/cli/text/terminal.ts'
import { toOneLine } from '../../../src/domain/text/invisible.ts'

type Row = { name: string; price: string; note: string; id: string }
const rows: Row[] = [
  { name: 'Tides of Japan', price: '0.0025 USDC', note: 'sea', id: 'svc_1' },
  { name: '日本全国の潮位表を返すサービス', price: '12 JPYC', note: 'tide and current', id: 'svc_2' },
]
const columns: Column<Row>[] = [
  { title: 'NAME', cell: row => row.name, atLeast: 8 },
  { title: 'PRICE', cell: row => row.price, align: 'right' },
  { title: 'NOTE', cell: row => row.note, dispensable: 1, atLeast: 4 },
  { title: 'ID', cell: row => row.id },
]

describe('A table', () => {
  test('aligns its columns and counts wide characters as two', () => {
    expect(table(rows, columns, 1000).split('\n')).toEqual([
      'NAME                                  PRICE  NOTE              ID',
      'Tides of Japan                  0.0025 USDC  sea               svc_1',
      '日本全国の潮位表を返すサービス      12 JPYC  tide and current  svc_2',
    ])
  })

  test.each([70, 60, 50, 45, 40, 35, 30, 29])('fits %i columns', width => {
    const lines = table(rows, columns, width).split('\n')
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
    expect(lines.every(line => /ID$|svc_\d$/.test(line))).toBe(true)
  })

  test('drops optional columns, then cuts the widest one', () => {
    expect(table(rows, columns, 31).split('\n')).toEqual([
      'NAME               PRICE  ID',
      'Tides of J…  0.0025 USDC  svc_1',
      '日本全国の…      12 JPYC  svc_2',
    ])
  })

  test('escapes control and bidirectional characters', () => {
    const text = table([{ ...rows[0]!, name: 'a\u001b[31mb\u202ec\nd' }], columns, 1000)
    expect(text).toContain('a\ufffd[31mb\ufffdc\ufffdd')
    expect(toOneLine('\u001b]0;x\u0007')).toBe('\ufffd]0;x\ufffd')
  })
})

test('Cutting keeps whole characters and counts their width', () => {
  expect(cut('abcdef', 6)).toBe('abcdef')
  expect(cut('abcdefg', 6)).toBe('abcde…')
  expect(cut('標標標標', 6)).toBe('標標…')
  expect(widthOf(cut('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 4))).toBeLessThanOrEqual(4)
})
