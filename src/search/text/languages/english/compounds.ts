// English compounds that are written as one word, as two, or with a hyphen.

const PAIRS = `e mail,geo coding,geo code,geo location,geo fence,qr code,bar code,zip code,post code,web hook,web site,web page,web socket,
home page,data base,data set,time zone,time stamp,time line,chat bot,block chain,stable coin,meme coin,side chain,on chain,
off chain,cross chain,file name,host name,user name,pass word,pass port,health care,real time,spell check,thumb nail,voice mail,
work flow,back test,back link,key word,air port,air drop,air line,sub title,sub domain,white list,black list,down load,up load,
cloud watch,screen shot,water mark,air quality,text book,book mark,play list,pod cast,news letter,weather map,live stream,
fact check,face match,back ground,car pool,rain fall,snow fall,earth quake,sun rise,sun set,micro payment,pay wall,pay load,
help desk,hand writing,face book,you tube,tik tok,git hub,linked in,whats app,drop box,note book`

const BY_WORD = new Map(
  PAIRS.split(/,\s*/).map(pair => [pair.replace(' ', ''), pair.split(' ') as [string, string]]),
)

/** Returns the two words that a compound can be written as. */
export const splitEnglishCompound = (word: string): readonly [string, string] | undefined => BY_WORD.get(word)
