// The parts that stand inside sentences, and what is wrong with a field, in Japanese.
import { JAPANESE_WORDS } from './languages/japanese/words.ts'

export const PHRASES: Readonly<Record<string, string>> = {
  'Its owner': '所有者',
  'An operator': '運営者',
  'Its source': '掲載元',
  'nobody on the registered network': '登録されたネットワークでは誰も',

  // Certificates.
  'its certificate has expired': '証明書の期限が切れています',
  'its certificate is not valid yet': '証明書がまだ有効ではありません',
  'its certificate is self-signed': '証明書が自己署名です',
  'its certificate chain ends in a self-signed certificate': '証明書の連鎖が自己署名で終わっています',
  'its certificate chain is incomplete': '証明書の連鎖が欠けています',
  'its certificate comes from an unknown authority': '証明書の発行者が知られていません',
  'its certificate is for another name': '証明書の名前が違います',
  'what answers there does not speak TLS': '応答がTLSではありません',
  'TLS failed': 'TLSに失敗しました',
  'TLS failed ({code|word})': 'TLSに失敗しました（{code}）',

  // What stands where something else belongs.
  'bare JSON': 'そのままのJSON',
  'something else': '別のもの',
  'it is missing': 'ありません',
  'it is {value}': '{value} です',

  // Addresses that nobody else can reach.
  'an address of "this network"': '「このネットワーク」のアドレス',
  'a private address': 'プライベートアドレス',
  'a shared address behind a carrier (CGNAT)': '通信事業者の共有アドレス（CGNAT）',
  'a loopback address': 'ループバックアドレス',
  'the loopback address': 'ループバックアドレス',
  'a link-local address, where clouds keep their metadata':
    'クラウドのメタデータがあるリンクローカルアドレス',
  'an address for protocol assignments': 'プロトコル割り当て用のアドレス',
  'an address for documentation': '文書用のアドレス',
  'a 6to4 relay address': '6to4中継のアドレス',
  'an address for benchmarks': '性能試験用のアドレス',
  'a multicast address': 'マルチキャストアドレス',
  'the broadcast address': 'ブロードキャストアドレス',
  'a reserved address': '予約されたアドレス',
  'a cloud metadata address': 'クラウドのメタデータのアドレス',
  'the unspecified address': '未指定アドレス',
  'a local NAT64 address': 'ローカルのNAT64アドレス',
  'a Teredo tunnel address': 'Teredoトンネルのアドレス',
  'a 6to4 tunnel address': '6to4トンネルのアドレス',
  'a unique local address': 'ユニークローカルアドレス',
  'a link-local address': 'リンクローカルアドレス',
  'a site-local address': 'サイトローカルアドレス',

  // What an address looks like.
  '0x and 40 hexadecimal digits': '0xと16進数40桁',
  '32 bytes in base58 (32 to 44 characters)': 'base58の32バイト（32〜44文字）',
  '58 characters of base32 (A–Z, 2–7)': 'base32の58文字（A–Z、2–7）',
  '0x and up to 64 hexadecimal digits': '0xと16進数64桁まで',
  'an account number such as 0.0.1234, or 0x and 40 hexadecimal digits':
    '0.0.1234のような口座番号か、0xと16進数40桁',
  '2 to 64 lower-case letters and digits, parted by single . - or _':
    '英小文字と数字2〜64文字（区切りは . - _ を1つずつ）',
  'G, C or M and base32 with a valid checksum (56 characters, 69 for M)':
    'G・C・Mで始まり検査記号の正しいbase32（56文字、Mは69文字）',
  '48 characters of base64, or a workchain, a colon and 64 hexadecimal digits':
    'base64の48文字か、ワークチェーンとコロンと16進数64桁',
  'T and 33 characters of base58': 'Tとbase58の33文字',
  'r and 24 to 34 characters of the ledger’s base58, or an X-address of 47 characters':
    'rと台帳のbase58の24〜34文字か、47文字のXアドレス',

  // Names of checks.
  ...JAPANESE_WORDS.register.checks,

  // What is wrong with a field.
  'is required: {problem|phrase}': '入力してください（{problem}）',
  'must be text of 1 to {most|number} characters': '1〜{most}文字の文章にしてください',
  'must be text of 1 to {most|number} characters, not empty or blank':
    '1〜{most}文字の文章にしてください。空白だけにはできません',
  'must have at most {most|number} characters': '{most}文字以内にしてください',
  'must be well-formed Unicode (it holds a lone surrogate)': '正しいUnicodeにしてください',
  'must not hold control characters other than newline and tab': '改行とタブ以外の制御文字は使えません',
  'must not hold control characters': '制御文字は使えません',
  'must not hold bidirectional control characters': '文字の向きを変える制御文字は使えません',
  'must not hold invisible characters ({code})': '見えない文字（{code}）は使えません',
  'must be a currency code: 1 to {most|number} visible characters':
    '通貨コードを1〜{most}文字で書いてください',
  'must be a wallet address: 1 to {most|number} visible characters':
    'ウォレットのアドレスを1〜{most}文字で書いてください',
  'must be a network name: 1 to {most|number} visible characters':
    'ネットワークの名前を1〜{most}文字で書いてください',
  'must be an absolute http or https URL': 'http または https の完全なURLにしてください',
  'must be an absolute http or https URL, like https://api.example.com/v1':
    'https://api.example.com/v1 のような完全なURLにしてください',
  'must be a valid URL, like https://api.example.com/v1':
    'https://api.example.com/v1 のような正しいURLにしてください',
  'must not hold white space or control characters': '空白や制御文字は使えません',
  'must not hold a user name or password': '利用者名やパスワードは書けません',
  'must be a category id': 'カテゴリのIDにしてください',
  'must be a category id, like weather': 'weather のようなカテゴリのIDにしてください',
  'must be a category id: 1 to 64 letters and digits of any script, then also space . _ : / & -':
    'カテゴリのIDは1〜64文字の文字と数字です（2文字目からは空白と . _ : / & - も使えます）',
  'must be a decimal amount as a string, like "0.001"': '"0.001" のような小数にしてください',
  'must be a decimal amount like "0.001", with at most 18 digits before and after the point':
    '"0.001" のような小数にしてください。小数点の前後はそれぞれ18桁までです',
  'must be a decimal amount, like 0.01': '0.01 のような小数にしてください',
  'must be a whole number of 0 or more': '0以上の整数にしてください',
  'must be a whole number from {least|number}': '{least}以上の整数にしてください',
  'must be an object with paymentAddress and network': 'paymentAddress と network を書いてください',
  'must be an object with currency and pricePerRequest': 'currency と pricePerRequest を書いてください',
  'must be a JSON object': 'JSONオブジェクトにしてください',
  'must be one of {values}': '{values} のどれかにしてください',
  'must be text': '文字列にしてください',
  'must be a URL as text': 'URLを文字列で書いてください',
  'must not be empty': '空にはできません',
  'must be true or false': 'true か false にしてください',
  'must be 1 to 255 visible characters': '1〜255文字の可視文字にしてください',
}
