// English requests with too many wordings for a list, found by patterns.
import type { Phrasing } from '../language.ts'
import { ENGLISH_LANGUAGE_NAMES } from './conversions.ts'

const LANGUAGE_NAMES = `(?:${ENGLISH_LANGUAGE_NAMES.join('|')})`
const FEW = '(?:an?|one|two|three|four|five|a few|a couple of|\\d+)'
const DAY = '(?:(?:sun|mon|tues|wednes|thurs|fri|satur)days?|weekends?|holidays|now|late|today|tonight)'

export const ENGLISH_PHRASINGS: readonly Phrasing[] = (
  [
    // in three sentences · down to one paragraph
    [
      `(?:in|to|into|as) ${FEW} (?:short )?(?:sentences?|lines?|paragraphs?|bullet points?|bullets)`,
      'summary,summarize',
    ],
    // into German and French
    [`(?:in)?to ${LANGUAGE_NAMES}(?:(?:,| and| or) ${LANGUAGE_NAMES})*`, 'translation,translate'],
    // ten years ago · back in 1999
    [`${FEW} (?:years?|decades?) ago|back in \\d{4}`, 'historical,past'],
    // is the bakery open on Sundays · what time does it close
    [
      `(?:open|closed?)(?: on| until| till)? ${DAY}|what time does [^.?]{1,30}? (?:open|close)`,
      'opening hours',
    ],
    // how long is the drive from Rome to Milan · how far is it on foot
    [`how (?:long|far)\\b[^.?]{0,30}?\\b(?:drive|walk|cycle|by car|on foot)`, 'directions,travel time'],
    // how polluted is the air · the air is dirty
    [
      'how (?:polluted|clean|dirty|bad|healthy) is the air|air (?:is |so )?(?:polluted|dirty|clean|bad)',
      'air quality,air pollution',
    ],
    // what breed of dog is this
    [
      'what (?:breed|kind|sort|species|type) of (?:\\w+ )?(?:is|are) (?:this|that|it|these|those)|(?:what|which) (?:breed|species) is (?:this|that|it)',
      'image recognition,objects photo,picture shows',
    ],
    // is this token safe to buy · will this coin rug
    [
      '(?:is|are) (?:this|that|the|these|a) (?:token|coin|memecoin|contract)s? (?:safe|legit|a scam|dangerous|trustworthy)',
      'smart contract vulnerabilities,dangerous permissions,scam',
    ],
    // research about sleep
    ['(?:research|studies|papers) (?:about|on|into|regarding)', 'scientific papers,research papers'],
    // what is in this picture
    [
      `what(?:'s| is) (?:in|on) (?:this|that|the|an?|my) (?:pictures?|photos?|images?)`,
      'objects photo,picture shows',
    ],
    // dim the bedroom lamp · turn the heating down
    [
      '(?:dim|turn|switch|control|toggle)\\b[^.?]{0,25}?\\b(?:lamps?|lights?|bulbs?|heating|heater|blinds|curtains|fan|door lock|garage door)',
      'smart home,devices at home',
    ],
    // the html of a page as markdown · website to text
    [
      '(?:html|web ?pages?|pages?|web ?sites?|sites?|urls?)\\b(?! e-?mail)[^.?,]{0,20}? (?:to|into|as) (?:clean |plain )?(?:markdown|text)',
      'clean html,scraping',
    ],
    // is this word Chinese or English
    [
      `(?<!(?:to|in|into|from) )${LANGUAGE_NAMES} or ${LANGUAGE_NAMES}`,
      'language identification,which language written',
    ],
    // which language is this · the language of a text
    ['(?:what|which) language|language of', 'language identification,which language written'],
    // email it to my team
    ['e-?mail (?:it|them|this|that|the|a|my)', 'send email,sends e-mail'],
    // is this email address real · whether a mailbox exists
    [
      '(?:is|are|if|whether|check|verify|validate|detect) (?:this |that |these |an? |the |my )?(?:e-?mail(?: address(?:es)?)?s?|mailbox(?:es)?)\\b[^.?]{0,20}?(?:real|valid|disposable|temporary|fake|exists?|deliverable)',
      'email verification,email exists,validate email',
    ],
    // search tweets · the last 50 posts of a user
    [
      '(?:search|fetch|get|scrape|collect|find|monitor|read|pull|track)\\b[^.?,]{0,25}?\\b(?:tweets|mentions|(?:social|twitter|x|reddit|instagram|farcaster|bluesky|facebook|linkedin|public|their) (?:media )?posts)|(?:last|latest|recent|newest)(?: \\d+)? (?:\\w+ )?(?:tweets|posts)',
      'posts followers,public posts,read twitter',
    ],
    // bridge USDC from Base to Arbitrum
    [
      'bridg(?:e|ing) (?:my |some |\\d[\\d.,]* )?(?:usdc|usdt|eth|sol|btc|tokens?|funds|assets|coins?)',
      'cross chain,swapping tokens,swap quotes',
    ],
    // an H100 · RTX 4090
    [`(?:[abhv]100|[bh]200|l40s?|rtx ?\\d{4})`, 'graphics processors,gpu'],
  ] as const
).map(([source, names]) => ({ pattern: new RegExp(`\\b(?:${source})\\b`, 'g'), names: names.split(',') }))

/** Most requests have none of these, and the patterns are much slower. */
export const ENGLISH_PHRASING_HINT = new RegExp(
  `sentence|line|paragraph|bullet| ago|back in|open |closed? |what time|how (?:long|far)|breed|species|kind of|sort of|type of|token|coin|contract|research|studies|papers|\\bair\\b|what(?:'s| is) (?:in|on)|dim|turn|switch|control|toggle|by (?:an? )?(?:ai|chatgpt|gpt|llm|bot|machine)|ai[- ]|erase|remove|delete|read|text of|[abhv]100|[bh]200|l40|rtx|markdown|language |mail|tweets|posts|mentions|bridg|to ${LANGUAGE_NAMES}|or ${LANGUAGE_NAMES}`,
)

/**
 * The caller is an agent or builds one, which says nothing about the request. Neither do "w/" and "w/o", nor that services are paid per call.
 */
const CALLER =
  /\b(?:my|our) (?:ai |llm )?(?:agents?|bots?)\b|\bw\/o?(?![a-z])|\bpay(?:s|ed|ing)?[- ]per[- ](?:call|use|request|query|hit)\b|\bpay[- ]as[- ]you[- ]go\b|\b(?:over|via|with|through|using) x402\b/gi

export const withoutCaller = (text: string): string => text.replace(CALLER, ' ')
