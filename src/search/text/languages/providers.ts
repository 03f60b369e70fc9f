// Names of well-known providers. A request often has them in lower case, where nothing else shows that they are names.

const PROVIDERS: ReadonlySet<string> = new Set(
  `google bing yahoo duckduckgo serpapi tavily perplexity openai chatgpt gpt anthropic claude gemini mistral groq cohere
deepseek huggingface replicate midjourney dall-e elevenlabs deepgram assemblyai aws amazon azure microsoft ibm cloudflare
vercel github gitlab coingecko coinmarketcap coinbase binance kraken etherscan alchemy infura quicknode moralis chainlink uniswap opensea
twilio sendgrid mailgun mailchimp telegram whatsapp discord slack notion zapier firecrawl apify scraperapi brightdata puppeteer playwright
selenium deepl mapbox openstreetmap openweathermap accuweather bloomberg reuters stripe paypal pinata pinecone facebook instagram tiktok
linkedin twitter reddit youtube wikipedia`.split(/\s+/),
)

/** @param word lower-case */
export const isProvider = (word: string): boolean => PROVIDERS.has(word)
