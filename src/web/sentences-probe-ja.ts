// What probes and checks say, in Japanese; the English sentence is the key, with its values in braces.

export const PROBE_SENTENCES: Readonly<Record<string, string>> = {
  // The comparison with the listing.
  'It takes payment on {network}, the registered network.':
    '登録されたネットワーク {network} で支払いを受けます。',
  'It takes payment on {seen|list}, not on {network}, the registered network.':
    '{seen} で支払いを受け、登録されたネットワーク {network} では受けません。',
  'The registered address cannot be paid.': '登録されたアドレスには支払えません。',
  'It asks to pay {address}, the registered address.': '登録されたアドレス {address} への支払いを求めます。',
  'It asks to pay {seen|list}, not {address}, the registered address.':
    '登録されたアドレス {address} ではなく、{seen} への支払いを求めます。',
  'It asks up to {price} a request, as listed.': '価格は1回 {price} までで、掲載どおりです。',
  'It asks {price} a request, as listed.': '価格は1回 {price} で、掲載どおりです。',
  'It asks up to {price} a request; the listing says {listed}.':
    '価格は1回 {price} までですが、掲載は {listed} です。',
  'It asks {price} a request; the listing says {listed}.': '価格は1回 {price} ですが、掲載は {listed} です。',
  'On the same network it asks to pay nobody else.': '同じネットワークで、ほかへの支払いは求めません。',
  'On the same network it also asks to pay {seen|list}.': '同じネットワークで {seen} への支払いも求めます。',

  // What the endpoint answers.
  'It answers {status|number}.': '{status} を返します。',
  'It answers {status|number} where 402 is expected.': '402のはずのところで {status} を返します。',
  'Its answer names terms of payment, but clients only look for them behind 402.':
    '答えに支払い条件がありますが、クライアントは402のときにしか見ません。',
  'It answers {status|number} to a request without payment, so nothing could be found out.':
    '支払いのない問い合わせに {status} を返すため、何も確かめられませんでした。',
  'It answers {status|number}: what stands in front of the service cannot reach it.':
    '{status} を返します。手前の中継がサービスに届いていません。',
  'It asks to sign in with a wallet, and for no payment.':
    'ウォレットでのサインインだけを求め、支払いは求めません。',
  'Neither /.well-known/x402 nor /openapi.json names a resource under {endpoint} that answers 402 either.':
    '/.well-known/x402 にも /openapi.json にも、{endpoint} の下で402を返すものは示されていません。',
  'Its terms of payment are those of x402 version {version|number}.':
    '支払い条件は x402 バージョン{version}の形です。',
  'It answers 402, but neither a PAYMENT-REQUIRED header nor a JSON body with accepts says how to pay.':
    '402を返しますが、支払い方が PAYMENT-REQUIRED ヘッダーにも accepts を含むJSON本文にもありません。',
  'It offers {rails|list} instead.': '代わりに {rails} を示しています。',
  'x402Version must be 1 or 2; it is {version}.': 'x402Version は1か2のはずですが、{version} です。',
  'The requirements stand alone; they must be an entry of a list named accepts, beside x402Version.':
    '条件が単独で置かれています。x402Version と並ぶ accepts の一覧に入れてください。',
  'The terms of payment have no list named accepts.': '支払い条件に accepts の一覧がありません。',
  'The list accepts is empty: nothing can be paid.': 'accepts の一覧が空で、支払いようがありません。',
  'The PAYMENT-REQUIRED header and the body name different terms.':
    'PAYMENT-REQUIRED ヘッダーと本文の条件が食い違っています。',
  'The PAYMENT-REQUIRED header must be JSON in base64; it holds {what|phrase}.':
    'PAYMENT-REQUIRED ヘッダーはbase64のJSONのはずですが、{what}です。',
  'The PAYMENT-REQUIRED header is base64, but not of a JSON object.':
    'PAYMENT-REQUIRED ヘッダーはbase64ですが、中身がJSONオブジェクトではありません。',
  'Terms of version 1 stand in the PAYMENT-REQUIRED header; clients of version 1 look in the body.':
    'バージョン1の条件が PAYMENT-REQUIRED ヘッダーにありますが、バージョン1のクライアントは本文を見ます。',
  'Terms of version 2 stand in the body; clients of version 2 look in the PAYMENT-REQUIRED header.':
    'バージョン2の条件が本文にありますが、バージョン2のクライアントは PAYMENT-REQUIRED ヘッダーを見ます。',
  'x402Version should be the number {version|number}.': 'x402Version は数値の {version} にしてください。',
  'There are {count|number} more such faults.': '同じような誤りがほかに{count}件あります。',
  'Only the first {count|number} entries of accepts are read.': 'accepts は最初の{count}件だけを読みます。',
  '{place|place} must be an object.': '{place} はオブジェクトでなければなりません。',
  '{place|place} must be text; {what|phrase}.': '{place} は文字列のはずですが、{what}。',
  '{place|place} should be a CAIP-2 id such as "eip155:8453" in version 2; {what|phrase}.':
    'バージョン2では {place} を "eip155:8453" のようなCAIP-2のIDにしてください（{what}）。',
  '{place|place} is the name of the other version; version {version|number} says {name}.':
    '{place} はもう一方のバージョンの名前です。バージョン{version}では {name} といいます。',
  '{place|place} should be an integer string; it is the number {number|number}.':
    '{place} は整数の文字列にしてください。今は数値の {number} です。',
  '{place|place} must be an integer string of the asset\'s smallest units, such as "2500"; {what|phrase}.':
    '{place} は "2500" のような最小単位の整数の文字列のはずですが、{what}。',

  // What went wrong on the way.
  'The name {host|word} has no address.': '名前 {host} にはアドレスがありません。',
  'The name {host|word} has no address ({code|word}).': '名前 {host} にはアドレスがありません（{code}）。',
  'The name {host|word} could not be resolved just now ({code|word}).':
    '名前 {host} を今は解決できませんでした（{code}）。',
  'The name {host|word} leads astray: {problem|sentences}': '名前 {host} の行き先に問題があります。{problem}',
  '{host|word} sent more headers than anybody should have to read.':
    '{host} のヘッダーは読むには大きすぎます。',
  'What {host|word} answered is not well-formed HTTP ({code|word}).':
    '{host} の答えは正しいHTTPではありません（{code}）。',
  '{host|word} does not accept connections.': '{host} は接続を受け付けません。',
  '{host|word} does not accept connections ({code|word}).': '{host} は接続を受け付けません（{code}）。',
  'No secure connection to {host|word}: {why|phrase}.': '{host} と安全に接続できません。{why}。',
  '{host|word} closed the connection in the middle of its answer.': '{host} は答えの途中で接続を切りました。',
  '{host|word} closed the connection in the middle of its answer ({code|word}).':
    '{host} は答えの途中で接続を切りました（{code}）。',
  '{host|word} closed the connection without an answer.': '{host} は答えずに接続を切りました。',
  '{host|word} closed the connection without an answer ({code|word}).':
    '{host} は答えずに接続を切りました（{code}）。',
  '{host|word} switched to another protocol unasked.': '{host} は求めていないプロトコルに切り替えました。',
  '{host|word} took no connection within {seconds|number} s.':
    '{host} は{seconds}秒以内に接続を受け付けませんでした。',
  '{host|word} had not finished answering after {seconds|number} s.':
    '{host} の答えは{seconds}秒たっても終わりませんでした。',
  '{host|word} did not answer within {seconds|number} s.': '{host} は{seconds}秒以内に答えませんでした。',
  'The body of its answer exceeds {size|number} KiB.': '答えの本文が {size} KiB を超えています。',
  'The body unfolds to more than {size|number} KiB.': '本文を展開すると {size} KiB を超えます。',
  'The body is encoded {count|number} times over.': '本文が{count}重に符号化されています。',
  'The body has the unknown encoding {coding}.': '本文の符号化 {coding} は知られていません。',
  'The body is not valid {coding|word} ({code|word}).': '本文が正しい {coding} ではありません（{code}）。',
  'It redirects more than {count|number} times.': '転送が{count}回を超えます。',
  'It redirects badly.': '転送先が正しくありません。',
  '{text|quoted} is not a URL.': '{text} はURLではありません。',
  'Addresses of {scheme|word} are not asked, only those of http: and https:.':
    '{scheme} のアドレスには問い合わせません。http: と https: だけです。',
  'A host name of {count|number} characters leads nowhere.':
    '{count}文字のホスト名はどこにもつながりません。',
  'A URL that holds a user name or password is not asked.':
    '利用者名やパスワードを含むURLには問い合わせません。',

  // Whom one may ask.
  'It is a well-formed http or https URL.': '正しい形の http または https のURLです。',
  'It {problem|phrase}.': '{problem}。',
  'Its address may be asked.': 'このアドレスには問い合わせできます。',
  '{host|word} is reserved for examples and tests, so it is never asked.':
    '{host} は例と試験のための名前なので、問い合わせません。',
  '{text|quoted} is not a host name.': '{text} はホスト名ではありません。',
  '{host|word} is a name for the machine itself, which nobody else can reach.':
    '{host} はその機械自身の名前で、ほかからは届きません。',
  '{address|word} is outside the public address space ({range|word}).':
    '{address} は公開のアドレス空間（{range}）の外です。',
  '{address|word} is {what|phrase} ({range|word}), so no public service can be reached there.':
    '{address} は{what}（{range}）なので、公開のサービスには届きません。',
  '{shown|word} stands for {address|word}, which is {what|phrase} ({range|word}), so no public service can be reached there.':
    '{shown} は {address}、つまり{what}（{range}）なので、公開のサービスには届きません。',
  'No network was given to compare with.': '比べるネットワークが入力されていません。',
  'No payment address was given to compare with.': '比べる支払い先アドレスが入力されていません。',
  'No price was given to compare with.': '比べる価格が入力されていません。',
  'The check before it failed: {check|phrase}.': '先の確認「{check}」に通っていません。',
  'There is nothing to compare: the price or its asset is not known.':
    '価格か資産が分からず、比べるものがありません。',
}
