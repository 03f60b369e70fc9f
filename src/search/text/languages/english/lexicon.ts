// What English requests ask for in words that hardly any service has. Written for this project, under its licence. A line is: how it is
// asked, and what is looked for in its place, each parted by commas.
import type { LexiconEntry } from '../../equivalents.ts'

const ASKED = `
how hot is it,how cold is it,how warm is it,is it hot,is it cold,is it warm,how hot will it be,how cold will it be,how warm will it be|weather forecast,天気予報,降水確率
is it raining,is it snowing,is it sunny,is it windy,do i need an umbrella,need an umbrella,bring an umbrella,take an umbrella,need a coat,need a jacket|weather forecast,天気予報,降水確率
what time is it,what's the time,what is the time,what's the time difference,what is the time difference|time zone,world time,timezone,時差
job opening,job openings,open positions,vacancy,vacancies,who is hiring,is hiring|job,求人
gas price,gas prices,gas cost,gas costs|gas fee,gas,ガス代
voice memo,voice memos,voice note,voice notes,voice message,voice messages,voicemail|recording,speech,voice,録音
where is my package,where is my parcel,where is my order,where's my package,where's my parcel|parcel,shipment,荷物
how do i get to,how do i get from,how to get to,how to get from|route,directions,経路
what should i eat,what to eat,what's for dinner,what should i cook|recipe,meal,レシピ
what should i watch,what to watch,something to watch|movie,film,映画
what should i read,what to read|book,本
`

/** What they are, and what is looked for beside them. */
const KINDS = `
remind,reminder,reminders|recurring task,時刻に知らせ
`

const listOf = (text: string): string[] => text.split(',')

const toEntries = (lines: string, key: 'also' | 'instead'): LexiconEntry[] =>
  lines
    .trim()
    .split('\n')
    .map(line => {
      const [asked, wanted] = line.split('|') as [string, string]
      return { words: [], readings: listOf(asked), [key]: listOf(wanted) }
    })

export const ENGLISH_LEXICON: readonly LexiconEntry[] = [
  ...toEntries(ASKED, 'instead'),
  ...toEntries(KINDS, 'also'),
]
