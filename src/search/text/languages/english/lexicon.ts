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
what song is this,what song is that,what's this song,what is this song,which song is this,name that tune|song title,song artist,曲名
`

/** What they are, and what is looked for beside them. */
const KINDS = `
remind,reminder,reminders|recurring task,時刻に知らせ
dhl,fedex,usps,royal mail|parcel,carrier,荷物
dentist,dentists,hairdresser,hairdressers,barber,barbers,supermarket,supermarkets,bakery,bakeries,florist,car wash,petrol station,gas station|shops opening hours,nearest pharmacy,近くの店
thermostat,thermostats,smart bulb,smart plug,air conditioner|devices at home,smart home,家の機器
world cup,champions league,premier league,bundesliga,super bowl,nba,nfl,mlb|sports scores,league fixtures,試合の速報
lira,rupee,rupees,baht,zloty,ruble,rubles,dirham,ringgit,rand|currency exchange rates,exchange rates,為替レート
electric car,electric vehicle,electric cars,electric vehicles|vehicle charging
stock exchange,stock exchanges,stock market,stock markets|share prices,equity quotes,株価
delivery round,delivery rounds,delivery route,delivery routes,many stops,multiple stops|shortest way stops,route,経路
turn on the light,turn on the lights,turn off the light,turn off the lights,switch on the lights,switch off the lights,dim the lights|smart home,devices at home,家の機器
plagiarism,plagiarised,plagiarized|copied passages,similarity report,写された
ai-written,ai written,written by ai,written by an ai,ai-generated text,ai generated text|written by a machine,AIで書かれた
fear and greed|crypto market,cryptocurrency prices
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
