// The phrasing of Japanese requests. It is removed before segmentation, because the segmenter splits these phrases
// differently from one sentence to the next.

const ASK =
  '(?:下さい|ください(?:ませ(?:んか)?)?|くれ(?:る|ます|ません)?(?:か)?|ほしい|欲しい|頂(?:け|き)[ぁ-ん]{0,8}|いただ(?:け|き)[ぁ-ん]{0,8}|もらえ(?:る|ます|ません)(?:か)?|もらいたい|ちょうだい)?'
const POLITE = '(?:(?:ん|の)?です(?:が|けど|けれど(?:も)?|か|よ|ね)*|だ|と思(?:い|って)[ぁ-ん]{0,6})?'

const PHRASES = [
  // わかりやすく説明して
  `(?:わか|分か|解か)りやす(?:く|い)`,
  // 〜を探しています, 〜を教えてください, 〜を見つけて
  `(?:を|が|は|も|って)?(?:探し|捜し|さがし|教え|おしえ|見つけ|みつけ|紹介し|案内し|示し|見せ|挙げ)(?:て(?:い(?:る|ます|た|て)|ます|る)?${ASK}|たい|ます|)${POLITE}`,
  `(?:を|が|は|も)?(?:探す|捜す|さがす|教える|見つける|知る)(?:には|方法|ための?)?`,
  // 〜が知りたい, 〜が欲しい, 〜が必要です
  `(?:を|が|は|も)?(?:知りたい|欲しい|ほしい|必要(?:な|と|が)?|求めて(?:い|お)?(?:る|り)?(?:ます)?)${POLITE}`,
  // 〜したいです, 〜してください, 〜していただけますか
  `し?たい(?:の)?(?:です|だ|と思|ので|が|けど)[ぁ-ん]{0,8}`,
  `(?:し)?て(?:下さい|ください|くださ|ほしい|欲しい|もらえ|もらいた|もらおう|いただけ|いただきた|頂け|くれる|くれま)[ぁ-ん]{0,8}`,
  // 〜はありますか, 〜はないでしょうか
  `(?:は|が|って|も)?(?:あり(?:ます|ません)|ない(?:です|でしょう)|ある(?:でしょう)?|ございます)(?:か(?:ね|な)?|でしょうか)`,
  `(?:を)?(?:どうか|是非|ぜひ)?(?:よろしく)?(?:お願い|おねがい)(?:し|致し|いたし|でき|します|します)?[ぁ-ん]{0,6}`,
  `(?:どう|どのように)(?:すれば|したら|やって|やれば)[ぁ-ん]{0,10}`,
  `(?:を)?使(?:い|って|え|う|用し)(?:たい|ば|る|ます|て)?(?:の)?(?:です(?:が|か)?)?`,
]
const REQUEST = new RegExp(PHRASES.join('|'), 'gu')

/** Replaces each phrase that only makes the text a request by a space. */
export const withoutRequest = (text: string): string => text.replace(REQUEST, ' ')

const ROMAN_FILLERS =
  /(?<![a-z])(?:wo|ga|ha|wa|no|ni|de|to|mo|he|kara|made|ka|yo|ne|kono|kore|sono|desu|desuka|masu|masuka|tai|shitai|shiritai|mitai|tsukaitai|tsukaeru|hoshii|kudasai|onegai|onegaishimasu|oshiete|oshietekudasai|sagashite|sagashiteru|sagashiteimasu|sagasu|suru|shite|dekiru|aru|arimasu|arimasuka|hitsuyou)(?![a-z])/gi

/** Removes function words and requests in Latin letters. */
export const withoutRomanFillers = (text: string): string => text.replace(ROMAN_FILLERS, ' ')
