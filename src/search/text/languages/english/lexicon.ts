// Terms of the field, and what services that they stand for say of themselves. Written for this project, under its licence. A line is the
// words, and what is searched in addition to them, each separated by commas.
import type { LexiconEntry } from '../language.ts'

const KINDS = `
fear and greed|crypto market,cryptocurrency prices
erc-20,erc20,erc-721,bep-20,spl token|token transactions,token history
2fa,mfa,two-factor,two factor,multi-factor,one-time password,otp,login code,verification code|one-time codes,authentication,passwordless
gwei,network congestion|gas fee
apy,apr,yield farming,earn interest,lend|yield,yields
rug pull,rugpull,rug pulls,to rug,will rug,a rug,honeypot,honeypots|smart contract vulnerabilities,scam
whois,domain owner,who owns the domain,who owns this domain,who owns a domain,who registered,registrant|who owns a domain,whois
heic,jpg,jpeg,webp,tiff,avif,bmp|image conversion,image format
docx,doc,odt|office documents,word
xlsx,xls|excel,spreadsheet
pptx|powerpoint,presentation
mkv|video format,video
flac,ogg,aac,m4a|audio format,audio
cross-chain,cross chain,bridging|token swap,cross chain
captcha,captchas,recaptcha,hcaptcha|anticaptcha,captcha solver
deepfake,deepfakes,deep fake|deepfake detection,deepfakes
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
nasdaq,s&p 500,dow jones,nikkei,ftse,etf,etfs,ticker,tickers|share prices,stock quotes
altcoin,altcoins,memecoin,memecoins,coin price,coin prices|crypto prices,coin prices
opensea,nft collection,nft collections,floor price|nft collections,nft
tvl,liquidity pool,liquidity pools|yields,defi
aave,morpho,pendle,lido,curve finance,compound finance|lending protocols,yields protocols
perp,perps,perpetual,perpetuals,perpetual futures,perpetual swaps,open interest,liquidations|derivatives trading,futures trading,derivatives price
ens,ens name,ens names,.eth name,.eth domain|ethereum names,wallet names
prediction market,prediction markets,polymarket,kalshi|prediction markets
ohlcv,ohlc,klines,candlesticks,candlestick,orderbook,order book,order books|market data,crypto prices
serp,google results,search results|web search,search results
dns,nameserver,nameservers,mx record,mx records|dns records,domain
s3,bucket,host a file,file hosting,file sharing|file storage,file hosting
doi,arxiv,preprint,preprints,citations,journal articles|scientific papers,research papers
upc,ean,gtin,barcode lookup,by its barcode,scan a barcode|barcode numbers,product barcode
metar,taf,for pilots,as a pilot,i am a pilot|aviation weather,flight weather
gas price,gas prices,gas cost,gas costs,gas estimator,gas estimate,gas estimation,gas tracker,gas oracle,gas limit|gas fee,gas tracker,transaction fees
tx,txs,txn,txns|transaction,transactions
funding rate,funding rates|funding rate,derivatives trading,futures trading,derivatives price
option greeks,options greeks,implied volatility|options prices,derivatives price
token unlock,token unlocks,unlock schedule,vesting schedule,token vesting|vesting,token unlocks,tokenomics
smart money|wallet transactions,profitable wallets,large transfers
borrow rate,borrow rates,borrowing rate,borrowing rates,lending rate,lending rates,supply rates,supply apy|rates lending,lending protocols,yields protocols
find papers,search papers,paper search,search for papers,literature search|scientific papers,research papers,literature retrieval
gpt-4,gpt-4o,gpt-4.1,gpt-5,gpt 4,gpt 4o,gpt 5|language models,chat completions,gpt-4o
space station|iss
grand prix,formula one,formula 1|f1,formula 1
japanese cartoon,japanese animation|anime
cve,cves|vulnerability,vulnerabilities
hate speech,profanity,slurs|content moderation,toxicity
words of a song,words to a song,song words|lyrics
`

const listOf = (text: string): string[] => text.split(',')

export const ENGLISH_LEXICON: readonly LexiconEntry[] = KINDS.trim()
  .split('\n')
  .map(line => {
    const [words, names] = line.split('|') as [string, string]
    return { words: [], readings: listOf(words), also: listOf(names) }
  })
