// English requests in words that hardly any service has. Written for this project, under its licence. A line is the
// wording, and what is searched instead of it, each separated by commas.
import type { LexiconEntry } from '../../equivalents.ts'

const WORDINGS = `
how hot is it,how cold is it,how warm is it,is it hot,is it cold,is it warm,how hot will it be,how cold will it be,how warm will it be|weather forecast
is it raining,is it snowing,is it sunny,is it windy,do i need an umbrella,need an umbrella,bring an umbrella,take an umbrella,need a coat,need a jacket|weather forecast
what time is it,what's the time,what is the time,what's the time difference,what is the time difference|time zone,world time,timezone
job opening,job openings,open positions,vacancy,vacancies,who is hiring,is hiring|job
gas price,gas prices,gas cost,gas costs,gas estimator,gas estimate,gas estimation,gas tracker,gas oracle,gas limit|gas fee,gas
tmrw,tmr,2moro|tomorrow
voice memo,voice memos,voice note,voice notes,voice message,voice messages,voicemail|recording,speech,voice
where is my package,where is my parcel,where is my order,where's my package,where's my parcel|parcel,shipment
how do i get to,how do i get from,how to get to,how to get from|route,directions
what should i eat,what to eat,what's for dinner,what should i cook|recipe,meal
what should i watch,what to watch,something to watch|movie,film
what should i read,what to read|book
what song is this,what song is that,what's this song,what is this song,which song is this,name that tune|song title,song artist
`

/** Words, and what is searched in addition to them. */
const KINDS = `
remind,reminder,reminders|recurring task
dhl,fedex,usps,royal mail|parcel,carrier
dentist,dentists,hairdresser,hairdressers,barber,barbers,supermarket,supermarkets,bakery,bakeries,florist,car wash,petrol station,gas station|shops opening hours,nearest pharmacy
thermostat,thermostats,smart bulb,smart plug,air conditioner|devices at home,smart home
world cup,champions league,premier league,bundesliga,super bowl,nba,nfl,mlb|sports scores,league fixtures
lira,rupee,rupees,baht,zloty,ruble,rubles,dirham,ringgit,rand|currency exchange rates,exchange rates
electric car,electric vehicle,electric cars,electric vehicles|vehicle charging
stock exchange,stock exchanges,stock market,stock markets|share prices,equity quotes
delivery round,delivery rounds,delivery route,delivery routes,many stops,multiple stops|shortest way stops,route
plagiarism,plagiarised,plagiarized|copied passages,similarity report
ai-written,ai written,written by ai,written by an ai,ai-generated text,ai generated text|written by a machine
fear and greed|crypto market,cryptocurrency prices
localise,localize,localised,localized,localisation,localization|translation,translate
boil,condense,recap,gist,takeaways,tl;dr,minutes of,meeting notes|summary,summarize
lat,lng,lat/long,lat/lng,lat/lon,latlong,gps position|coordinates,latitude longitude
scammer,scammers,fraudster,fraudsters,con artist,swindle,swindler|scam,fraud
erc-20,erc20,erc-721,bep-20,spl token|token transactions,token history
blurry,blurred,pixelated,grainy,low-res,low resolution|sharpen,enlarge,upscale
transparent background,cut out,cutout|remove background,background
soundtrack,theme tune,background track,bgm,jingle|background music,BGM
2fa,mfa,two-factor,two factor,multi-factor,one-time password,otp,login code,verification code|one-time codes,authentication,passwordless
burner email,throwaway email,temporary email,temp mail,fake inbox|disposable email,disposable mailboxes
gwei,network congestion|gas fee,gas
apy,apr,yield farming,earn interest,lend|yield,yields
rug pull,rugpull,rug pulls,to rug,will rug,a rug,honeypot,honeypots|smart contract vulnerabilities,scam
embargo,blacklist,watchlist,watch list|sanctions
whois,domain owner,who owns the domain,who owns this domain,who owns a domain,who registered,registrant|who owns a domain,whois
flat,apartment,flats,apartments,landlord,tenant|homes listings,rents
side effects,side effect,dosage,painkiller,painkillers,headache|medicine,drug
symptom,symptoms,fever|symptom checker,health
quarterly results,annual report,10-k,revenue of,profit of,fundamentals,balance sheet,balance sheets,p/e,p/e ratio,pe ratio,ebitda|financial statements,earnings
id card,driving licence,driving license,driver's license|identity verification,passport
toxic,abusive,harassment,hate speech,bullying,profanity|toxic comments,moderation,abusive
playstation,xbox,iphone,ipad,macbook,laptop,sneakers|product,products
cinema,showtimes,box office|movie,film
commute,traffic jam,traffic jams|travel time traffic,directions
heic,jpg,jpeg,webp,tiff,avif,bmp|image conversion,image format
docx,doc,odt|office documents,word
xlsx,xls|excel,spreadsheet
pptx|powerpoint,presentation
mkv|video format,video
flac,ogg,aac,m4a|audio format,audio
background check,background checks|background report,criminal record
upscaler,upscale,upscaling,super resolution|enlarge,upscaling,sharpen
dummy data,mock data,fake data,test data|test data,fake data
crypto tax,crypto taxes,capital gains|profit loss,tax calculation
landline,line type,carrier lookup,mobile or landline|carrier line,phone number validation
cross-chain,cross chain,bridging|token swap,cross chain
captcha,captchas,recaptcha,hcaptcha|anticaptcha,captcha solver
deepfake,deepfakes,deep fake|deepfake detection,deepfakes
content moderation,text moderation,comment moderation,nsfw|toxic comments,unsafe,moderation
scraper,scrapers,headless browser,puppeteer,playwright|scraping,crawls site,page browser
twitter,tweet,tweets,reddit,subreddit,mastodon,bluesky|public posts,mentions brand
job posting,job postings,job listing,job listings,job ad,job ads,job board,job boards|job offers,job boards
real estate,realtor,mortgage,property listings,house prices|homes listings,rents
rent prices,average rent,rental prices|rents,homes listings
ofac,aml,pep,pep check,money laundering|sanctions,risk score
kyb,company registration,business registry,commercial register,articles of incorporation|company registry,company information
oracle,price oracle,price feed,price feeds|crypto prices,token price
rpc,json-rpc,archive node,full node,node provider|rpc access,blockchain node
block explorer,tx hash,transaction hash|decoded transaction,transactions hash
rag,retrieval augmented generation|text vectors,vectors nearest
embed my,embed the,embed our,embed documents,embed docs,embed text|text vectors,text embeddings
vector db,vector database,pinecone,weaviate,qdrant,chroma|vectors nearest,similarity search
inference,gpt,gpt-4,gpt-4o,llama,mistral,deepseek,qwen|language models,chat completions
flux,sdxl,stable diffusion,dall-e,dalle|image generation,text to image
whisper,stt,asr|transcription,transcribe
tts,elevenlabs|text to speech,read aloud
ner,named entity,named entities,entity extraction|entities text,extract names
code interpreter,code execution,untrusted code|runs code,executes code
phishing,scam site,malicious link,malicious url,malicious urls|phishing pages,reputation url
disposable,throwaway|disposable mailboxes
uptime monitoring,website monitoring|monitoring website,site down
url to markdown,page to markdown,website to markdown,html to markdown,page as markdown|clean html,page text
`

const listOf = (text: string): string[] => text.split(',')

const toEntries = (lines: string, key: 'also' | 'instead'): LexiconEntry[] =>
  lines
    .trim()
    .split('\n')
    .map(line => {
      const [wordings, names] = line.split('|') as [string, string]
      return { words: [], readings: listOf(wordings), [key]: listOf(names) }
    })

export const ENGLISH_LEXICON: readonly LexiconEntry[] = [
  ...toEntries(WORDINGS, 'instead'),
  ...toEntries(KINDS, 'also'),
]
