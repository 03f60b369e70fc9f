// English words for what services offer under another name. Written for this project, under its licence. A line is the words, and
// what is searched in addition to them, each separated by commas.
import type { LexiconEntry } from '../../equivalents.ts'

const KINDS = `
remind,reminder,reminders|recurring task
dhl,fedex,usps,royal mail|parcel,carrier
dentist,dentists,hairdresser,hairdressers,barber,barbers,supermarket,supermarkets,bakery,bakeries,florist,car wash,petrol station,gas station|shops opening hours,nearest pharmacy
thermostat,thermostats,smart bulb,smart plug,air conditioner|devices at home,smart home
world cup,champions league,premier league,bundesliga,super bowl,nba,nfl,mlb|sports scores,league fixtures
lira,rupee,rupees,baht,zloty,ruble,rubles,dirham,ringgit,rand|currency exchange rates,exchange rates
charging station,charging stations,charge point,charge points,ev charger,ev chargers,chargers,where can i charge,where to charge|charging locations,charging stations
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
gwei,network congestion|gas fee
apy,apr,yield farming,earn interest,lend|yield,yields
rug pull,rugpull,rug pulls,to rug,will rug,a rug,honeypot,honeypots|smart contract vulnerabilities,scam
embargo,blacklist,watchlist,watch list|sanctions
whois,domain owner,who owns the domain,who owns this domain,who owns a domain,who registered,registrant|who owns a domain,whois
flat,apartment,flats,apartments|homes listings,rents
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
real estate,realtor,property listings,house prices|homes listings,rents
rent prices,average rent,rental prices|rents,homes listings
ofac,aml,pep,pep check,money laundering|sanctions,risk score
kyb,company registration,business registry,commercial register,articles of incorporation|company registry,company information
oracle,price oracle,price feed,price feeds|crypto prices,token price
rpc,json-rpc,archive node,full node,node provider|rpc access,blockchain node
block explorer,tx hash,transaction hash|decoded transaction,transactions hash
rag,retrieval augmented generation|text vectors,vectors nearest
embed my,embed the,embed our,embed documents,embed docs,embed text|text vectors,text embeddings
vector db,vector database,pinecone,weaviate,qdrant,chroma|vectors nearest,similarity search
inference,gpt,llama,mistral,deepseek,qwen|language models,chat completions
flux,sdxl,stable diffusion,dall-e,dalle|image generation,text to image
whisper,stt,asr|transcription,transcribe
tts,elevenlabs|text to speech,read aloud
ner,named entity,named entities,entity extraction|entities text,extract names
code interpreter,code execution,untrusted code|runs code,executes code
phishing,scam site,malicious link,malicious url,malicious urls|phishing pages,reputation url
disposable,throwaway|disposable mailboxes
uptime monitoring,website monitoring|monitoring website,site down
url to markdown,page to markdown,website to markdown,html to markdown,page as markdown|clean html,page text
jobs,careers,job search,job seekers|job board,job offers,job search
gold,silver,platinum,crude oil,copper,commodity,commodities,precious metals|commodity price,commodity
smog,aqi,pm2.5,pm10,air pollution,polluted air,air is|air quality,air pollution
derivative,integral,calculus,algebra,trigonometry,quadratic,equation,equations|math calculator,solves equations,symbolic math
gasoline,petrol,diesel,fuel prices,fuel price,gas station prices,petrol prices|fuel price,diesel prices,gas diesel
positive or negative,positively,negatively,tone of voice,how people feel,happy or angry,polarity|sentiment,sentiment analysis
bank holiday,bank holidays,national holidays|public holidays,holidays
short link,short links,short url,short urls,shorten,link shortener|url shortener,short url
number plate,number plates,licence plate,license plate,plate number,vin number|license plate,vehicle
wind speed,humidity,snowfall,heatwave,drizzle|weather forecast,weather
nasdaq,s&p 500,dow jones,nikkei,ftse,etf,etfs,ticker,tickers|share prices,stock quotes
dividend,dividends,ipo,sec filings|financial statements,dividends
altcoin,altcoins,memecoin,memecoins,coin price,coin prices|crypto prices,coin prices
wallet holdings,what a wallet holds,portfolio tracker,my bags|token balances,wallet balances
opensea,nft collection,nft collections,floor price|nft collections,nft
tvl,liquidity pool,liquidity pools|yields,defi
aave,morpho,pendle,lido,curve finance,compound finance|lending protocols,yields protocols
perp,perps,perpetual,perpetuals,perpetual futures,perpetual swaps,open interest,liquidations|derivatives trading,futures trading,derivatives price
ens,ens name,ens names,.eth name,.eth domain|ethereum names,wallet names
prediction market,prediction markets,polymarket,kalshi|prediction markets
ohlcv,ohlc,klines,candlesticks,candlestick,orderbook,order book,order books|market data,crypto prices
price alert,price alerts|price falls,price drop
find leads,find me leads,lead generation,lead gen,lead list,sales leads,prospects,prospecting|enriches lead,decision maker,finds contact
firmographics,company enrichment,enrich a company,company info,company profile,company profiles|sector companies,company registry
paraphrase,paraphraser,reword,rephrase,rewrite|rewriting text,paraphrase,rewrites
proofread,proofreading,spell check,spellcheck,spelling mistakes,typos|grammar,proofreading
slides,slide deck,pitch deck|presentation,powerpoint
slogan,tagline,ad copy,landing page copy|marketing copy,copywriting
thumbnail,thumbnails,resize,resizing|resize images,image resizing
selfie,same person,face matching|compares faces,face verification
business card,business cards|business card,contact data
restaurant bill,bills,expenses,expense report,expense reports|receipts,receipt
watermark,merge pdfs,split a pdf,fill a form|pdf files,pdf
shazam,hum a tune,humming|song title,music recognition
captions,closed captions,srt,vtt|subtitles,captions
serp,google results,search results|web search,search results
hashtag,hashtags,influencer,influencers,followers,trending|public posts,social networks
distance between,driving distance,isochrone,shortest route|directions,travel time
bus times,tram,subway,metro,departures|timetables,public transport
book a table,reserve a table,table for two,table tonight,dinner reservation,dinner reservations|restaurant reservation,restaurants
place to eat,places to eat,where to eat,where can i eat,dinner spot|restaurants,restaurant
airfare,airfares,plane,planes,airplane,plane ticket,plane tickets,layover,cheap flights|flights,airlines fares
place to stay,somewhere to stay,accommodation,hostel,airbnb,bnb,lodging|hotels,hotel
macros,calorie,calories,protein content,vitamins|nutrition,nutrients foods
burn calories,calories burned,calories burnt|calories burned,workout
gym,workout,workouts,marathon|workout plans,training plans
newsletter,newsletters,smtp,mass mailing|sends email,send email
bounce,bounces,bounced,deliverability|email verification,email address
caller id,who called,unknown number,spam call,spam calls|phone number lookup,phone number
age verification,over 18,proof of identity,id check|identity verification,kyc
ransomware,antivirus,infected,virus scan,viruses|malware,scan files
dns,nameserver,nameservers,mx record,mx records|dns records,domain
pull request,refactor,lint,code smells,bugs in my code|code review,reviews code
fine-tune,finetune,fine-tuning,train a model,training a model|gpu,train model
s3,bucket,host a file,file hosting,file sharing|file storage,file hosting
working days,business days,workdays|business days,calendar
gdp,inflation,unemployment,census|official statistics,economic indicators
bar chart,pie chart,line chart,scatter plot,line plot,plot a,plot my,plot the data,plot data|charts,chart
beneficial owner,beneficial owners,shareholders,headcount|company registry,company directors
price comparison,price history,cheapest place to buy,price tracker,price drop|compares prices,product prices
courier,delivery status,shipment tracking,track a parcel,track a package|parcel tracking,shipment
payment link,payment links,checkout page|payment link,payments
case law,court ruling,court rulings,statute,statutes,legislation|laws,court decisions
tender,tenders,procurement,subsidies,grants|public tenders,government data
standings,fixtures,league table,odds|sports scores,league
imdb,tv show,tv shows,sitcom,box set|movies,film series
isbn,novel,novels,bestseller,bestsellers|books,book
doi,arxiv,preprint,preprints,citations,journal articles|scientific papers,research papers
homework,flashcards,exam questions|tutor,quiz
itinerary,day trip,city trip,trip to,weekend in,vacation plan|travel planning,itinerary
co2,carbon footprint,carbon emissions,greenhouse gas|carbon footprint,emissions
joke,jokes,pun,puns|jokes,joke
my mp,local mp,which mp,mps,member of parliament,congressman,congresswoman,senator,senators,my representative,elected officials|government representatives,elected representatives
leaked,pwned,hacked,data breach,data breaches,data leak,exposed password,exposed passwords,exposed email,exposed account,exposed accounts|breached accounts,data breaches
upc,ean,gtin,barcode lookup,by its barcode,scan a barcode|barcode numbers,product barcode
flight status,flight delayed,flight delays,flight tracker,is my flight|flight status,delay flight
concert,concerts,gig,gigs,festival,festivals,theatre play|search events,events venues
railway,railways,train station,by train,train from,train to,train ticket,train tickets,train schedule,train schedules,train delay,train delays,train timetable|train timetables,public transport
a vet,my vet,the vet,vet near,vet clinic,vets,animal hospital,animal clinic|veterinary clinic,veterinary emergency
metar,taf,for pilots,as a pilot,i am a pilot|aviation weather,flight weather
sales forecast,predict sales,forecast sales,demand forecast,demand forecasting|forecasts time series,time series
unlock a pdf,password-protected pdf,protected pdf|pdf tools,pdf files
moon phase,moon phases,phase of the moon,phases of the moon,full moon,new moon,lunar calendar|moon phase
whale wallet,whale wallets,whale movements,whale alert,whale alerts,whale tracker,whale transactions|large transfers,wallet transactions
earnings call,earnings calls,earnings transcript,investor call|earnings call,financial statements
find the email,find an email,find emails,email finder,email address of,contact details of|contact lookup,finds email
used car,used cars,car worth,car value,second-hand car|car pricing,vehicle value
options chain,option chain,call options,put options,strike price,options pricing|options prices,derivatives price
stock photo,stock photos,stock image,stock images,royalty-free photos,royalty-free images|free photos,photo search
into coordinates,to coordinates,address to coordinates,coordinates of an address|geocoding,addresses coordinates
name my,names for my,name for my,name for a,names for a,come up with a name|naming,name generator
salary of,salary for,salaries of,salaries for,average salary,how much do,how much does a|salary benchmark,salaries
voice cloning,clone my voice,clone a voice,my own voice,imitate my voice|clones voice,voice cloning
learn vocabulary,vocabulary,language learning,learn a language|vocabulary cards,language lessons
zodiac,star sign,horoscope,horoscopes|horoscope,astrology
how hot is it,how cold is it,how warm is it,is it hot,is it cold,is it warm,how hot will it be,how cold will it be,how warm will it be|weather forecast
is it raining,is it snowing,is it sunny,is it windy,do i need an umbrella,need an umbrella,bring an umbrella,take an umbrella,need a coat,need a jacket|weather forecast
what time is it,what's the time,what is the time,what's the time difference,what is the time difference|time zone,world time,timezone
job opening,job openings,open positions,vacancy,vacancies,who is hiring,is hiring|job search,job offers,job board
gas price,gas prices,gas cost,gas costs,gas estimator,gas estimate,gas estimation,gas tracker,gas oracle,gas limit|gas fee,gas tracker,transaction fees
tx,txs,txn,txns|transaction,transactions
image gen,img gen,pic gen|image generation,generate images
video gen,vid gen|video generation,text to video
music gen,audio gen|music generation,generate music
funding rate,funding rates|funding rate,derivatives trading,futures trading,derivatives price
option greeks,options greeks,implied volatility|options prices,derivatives price
token unlock,token unlocks,unlock schedule,vesting schedule,token vesting|vesting,token unlocks,tokenomics
smart money|wallet transactions,profitable wallets,large transfers
borrow rate,borrow rates,borrowing rate,borrowing rates,lending rate,lending rates,supply rates,supply apy|rates lending,lending protocols,yields protocols
search tweets,tweet search,search twitter,twitter search,scrape tweets,get tweets,fetch tweets,find tweets,scrape twitter,twitter scraper|posts followers,read twitter,public posts
find papers,search papers,paper search,search for papers,literature search|scientific papers,research papers,literature retrieval
gpt-4,gpt-4o,gpt-4.1,gpt-5,gpt 4,gpt 4o,gpt 5|language models,chat completions,gpt-4o
tmrw,tmr,2moro|tomorrow
voice memo,voice memos,voice note,voice notes,voice message,voice messages,voicemail|recording,speech,voice
where is my package,where is my parcel,where is my order,where's my package,where's my parcel|parcel,shipment
how do i get to,how do i get from,how to get to,how to get from|route,directions
what should i eat,what to eat,what's for dinner,what should i cook|recipe,meal
what should i watch,what to watch,something to watch|movie,film
what should i read,what to read|book
trains,train times,train ride,train rides,next train,last train|train timetables,railway trains,train bus
concert tickets,gig tickets,festival tickets,theatre tickets,event tickets,tickets for a concert|search events,event tickets,events venues
what song is this,what song is that,what's this song,what is this song,which song is this,name that tune|song title,song artist
into english,into french,into german,into spanish,into italian,into portuguese,into dutch,into polish,into russian,into ukrainian,into turkish,into arabic,into hindi,into chinese,into japanese,into korean,into vietnamese,into thai,into indonesian,into swedish|translation,translate
to english,to french,to german,to spanish,to italian,to portuguese,to dutch,to polish,to russian,to ukrainian,to turkish,to arabic,to hindi,to chinese,to japanese,to korean,to vietnamese,to thai,to indonesian,to swedish|translation,translate
`

const listOf = (text: string): string[] => text.split(',')

export const ENGLISH_LEXICON: readonly LexiconEntry[] = KINDS.trim()
  .split('\n')
  .map(line => {
    const [words, names] = line.split('|') as [string, string]
    return { words: [], readings: listOf(words), also: listOf(names) }
  })
