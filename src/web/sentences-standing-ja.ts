// What the directory says about standing, in Japanese; the English sentence is the key, with its values in braces.

export const STANDING_SENTENCES: Readonly<Record<string, string>> = {
  // What happened to an entry.
  '{by|phrase} changed where it is or whom it pays.': '{by}が所在または支払い先を変更しました。',
  '{by|phrase} changed the payment address.': '{by}が支払い先アドレスを変更しました。',
  '{by|phrase} changed the price.': '{by}が価格を変更しました。',
  '{by|phrase} changed the listing.': '{by}が掲載内容を変更しました。',
  '{by|phrase} has taken it out of service: {message|sentences}': '{by}が提供を停止しました：{message}',
  '{by|phrase} has brought it back.': '{by}が提供を再開しました。',
  'The wallet that it pays has claimed it.': '支払い先のウォレットが所有者になりました。',
  'Its source, {url}, has removed it.': '掲載元 {url} が削除しました。',
  'It is no longer listed at {url}.': '{url} の一覧から外れました。',
  'Its owner has taken it out of service.': '所有者が提供を停止しています。',
  '{count|number} probes in a row failed.': '{count}回続けて確認に失敗しました。',
  'It answered {count|number} probes in a row again.': '再び{count}回続けて応答しました。',
  'It asked to pay {before|list}, and now {after|list}.':
    '求める支払い先が {before} から {after} に変わりました。',
  'It asked {before} a request, and now {after}.': '求める価格が1回 {before} から {after} に変わりました。',

  // Where trust comes from.
  'This is an entry of the sample catalog: its standing is invented and it is never probed.':
    '見本の項目です。実績は作りもので、問い合わせは行われません。',
  'It has not been measured yet.': 'まだ計測していません。',
  'It has not been probed yet.': 'まだ確認していません。',
  'Of {all|number} probes {fast|number} were answered within {ms|number} ms, and {fair|number} within {seconds|number} s, which count half.':
    '{all}回の確認のうち{fast}回は{ms}ミリ秒以内、{fair}回は{seconds}秒以内の応答でした（後者は半分に数えます）。',
  'It answered as registered up to {days|number} {unit|days} after its registration; {full|number} days give all points.':
    '登録から{days}日後まで登録どおりに応答しました。{full}日で満点です。',
  'It answered as registered up to {days|number} {unit|days} after its last move; {full|number} days give all points.':
    '最後の移転から{days}日後まで登録どおりに応答しました。{full}日で満点です。',
  'This directory reads no chain on which it is paid, so payers are not known.':
    '支払いのあるチェーンをこの案内所は読んでいないため、支払った人数は分かりません。',
  '{payers|number} different wallets paid it on chain; {full|number} give all points.':
    'チェーン上で{payers}個の別々のウォレットが支払いました。{full}個で満点です。',
  'It can never be verified with this address.': 'このアドレスでは検証済みになりません。',
  'Its own 402 answer names the registered address on the registered network.':
    '自身の402の答えが、登録されたネットワークの登録されたアドレスを示しています。',
  'Its last probes failed; two answers in a row bring it back.':
    '最近の確認に失敗しています。2回続けて応答すると元に戻ります。',
  'Its endpoint does not name the registered address on the registered network; the history says what it answers.':
    'エンドポイントの答えが、登録されたネットワークの登録されたアドレスを示していません。答えの内容は履歴にあります。',
  'It answered {up|number} of {all|number} probes; the more there are, the more a good share counts.':
    '{all}回の確認のうち{up}回応答しました。回数が多いほど、良い割合が点になります。',
  'Of {all|number} probes {good|number} found the registered address and the listed price.':
    '{all}回の確認のうち{good}回、アドレスと価格が登録どおりでした。',
  'Of {all|number} probes {good|number} found the registered address and the listed price; {drifted|number} asked another price than the listing.':
    '{all}回の確認のうち{good}回、アドレスと価格が登録どおりでした。{drifted}回は掲載と違う価格でした。',
  'Of {all|number} probes {good|number} found the registered address and the listed price; {other|number} named another address or network, which weighs {weight|number} times.':
    '{all}回の確認のうち{good}回、アドレスと価格が登録どおりでした。{other}回は別のアドレスかネットワークでした（{weight}倍の重み）。',
  'Of {all|number} probes {good|number} found the registered address and the listed price; {drifted|number} asked another price than the listing, {other|number} named another address or network, which weighs {weight|number} times.':
    '{all}回の確認のうち{good}回、アドレスと価格が登録どおりでした。{drifted}回は掲載と違う価格、{other}回は別のアドレスかネットワークでした（{weight}倍の重み）。',
  '{address} is not an address on {network}: an address there is {shape|phrase}.':
    '{address} は {network} のアドレスではありません。{network} のアドレスは{shape}です。',
  '{address} is an address on {network} that nobody holds the key of: what is paid there is lost.':
    '{address} は {network} で誰も鍵を持たないアドレスです。そこへの支払いは失われます。',

  // Why a call was refused.
  'The API key is not known here; check that it is complete and sent to the right directory.':
    'このAPIキーは登録されていません。全体が正しく写されているか、送り先が正しいか確かめてください。',
  'The API key was revoked; ask the operator for a new one.':
    'このAPIキーは失効しています。運営者に新しいキーを求めてください。',
  'The API key was made for an address that nobody holds the key of.':
    'このAPIキーは、誰も鍵を持たないアドレスのために作られたものです。',
  'The API key has expired; ask the operator for a new one.':
    'このAPIキーは期限切れです。運営者に新しいキーを求めてください。',
  'An API key is needed; send it as "Authorization: Bearer <API_KEY>".': 'APIキーが必要です。',
  'The API key is malformed; a key has 8 to 128 visible characters.':
    'APIキーの形が正しくありません。キーは8〜128文字の可視文字です。',
  'This API key may not do that: it lacks the scope "{scope}"; ask the operator for a key that has it.':
    'このAPIキーには権限「{scope}」がありません。権限のあるキーを運営者に求めてください。',
  'You may check addresses {count|number} times a minute, with all your keys together; try again in a minute.':
    '確認できるのは、すべてのキーを合わせて1分に{count}回までです。1分ほどおいて試してください。',
  'Too many are asking just now; try again in a minute.':
    'ただいま混み合っています。1分ほどおいて試してください。',
  'This directory asks no endpoints, so it checks none.':
    'この案内所はエンドポイントに問い合わせないため、確認もできません。',
  'There is no service with the id {id}.': 'ID {id} のサービスはありません。',
  '{method} is not possible on {path}. Possible: {methods}.':
    '{path} では {method} は使えません。使えるのは {methods} です。',
  'Too many requests. Ask again in {seconds|number} s.':
    '要求が多すぎます。{seconds}秒後にもう一度お試しください。',
  'Something went wrong here. Try again, and report it with the X-Request-Id of this answer.':
    '案内所の側で問題が起きました。もう一度お試しいただき、続くようなら X-Request-Id を添えて知らせてください。',
  'The store cannot be reached just now; try again in a moment.':
    '今は保存先に届きません。少しおいて試してください。',
  'The form must be sent as {type}.': 'フォームは {type} として送ってください。',
  '{field}: {problem|phrase} (and {more|number} more).': '{field}：{problem}（ほか{more}件）。',
  '{field}: {problem|phrase}.': '{field}：{problem}。',
}
