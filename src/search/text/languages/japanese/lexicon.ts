// Technical and everyday words: their spellings, readings and English translations. Written for this project, under its
// licence. A line is one word: spellings, readings in hiragana, English words, each separated by commas.
import type { LexiconEntry } from '../language.ts'

const LINES = `
アニメ||anime,animation
録音|ろくおん|recording,audio recording
宇宙ステーション||space station,iss
潮汐,満潮,干潮|ちょうせき|tide
国会,議会|こっかい|parliament
ヘイトスピーチ,差別的な表現||hate speech
構成図,図表||diagram
ユーザーエージェント||user agent
ヘッドレスブラウザ||headless browser,headless chrome
口コミ|くちこみ|review
住宅ローン||mortgage
血液検査||blood test
観葉植物||houseplant
人工衛星|じんこうえいせい|satellite
商標|しょうひょう|trademark
入札|にゅうさつ|tender,procurement
船舶|せんぱく|vessel,ship
アレルギー,アレルゲン||allergy,allergen
天文,天体|てんもん|astronomy
暗号資産,仮想通貨,暗号通貨|あんごうしさん|cryptocurrency,crypto
ステーブルコイン||stablecoin
トークン||token
ウォレット||wallet
スマートコントラクト||smart contract
ガス代,ガス料金|がすだい|gas fee
ブロックチェーン||blockchain
エアドロップ||airdrop
ステーキング||staking
スワップ||swap
利回り|りまわり|yield
流動性|りゅうどうせい|liquidity
取引所|とりひきじょ|exchange
送金|そうきん|money transfer,remittance,transfer funds
決済|けっさい|payment
残高|ざんだか|balance
読み上げ,音声合成,合成音声|よみあげ,おんせいごうせい,ごうせいおんせい|text to speech
文字起こし,書き起こし,音声認識|もじおこし,おんせいにんしき|speech recognition,speech to text,transcribe,transcription
文字認識,文字の読み取り||ocr
大規模言語モデル,言語モデル||llm,language model
生成AI,生成ai||generative ai
人工知能|じんこうちのう|ai,artificial intelligence
機械学習|きかいがくしゅう|machine learning
埋め込み||embedding
要約|ようやく|summary,summarize
翻訳|ほんやく|translation,translate
校正|こうせい|proofreading
画像生成|がぞうせいせい|image generation
背景|はいけい|background
顔認識,顔認証|かおにんしき|face recognition
字幕|じまく|subtitle,caption
動画|どうが|video
画像|がぞう|image
写真|しゃしん|photo
音楽|おんがく|music
天気|てんき|weather
予報|よほう|forecast
気温|きおん|temperature
台風|たいふう|typhoon
地震|じしん|earthquake
花粉|かふん|pollen
株価|かぶか|stock price
株式|かぶしき|stock
為替|かわせ|exchange rate,forex
通貨|つうか|currency
決算|けっさん|earnings
財務|ざいむ|financial
請求書|せいきゅうしょ|invoice
領収書,レシート|りょうしゅうしょ|receipt
契約書|けいやくしょ|contract
履歴書|りれきしょ|resume,cv
求人|きゅうじん|job
住所|じゅうしょ|address
地図|ちず|map
経路,ルート,道順|けいろ|route
乗換,乗り換え,のりかえ||transit
時刻表|じこくひょう|timetable
電車|でんしゃ|train
車,自動車|くるま|car
飛行機|ひこうき|flight
航空券|こうくうけん|flight ticket
宿,旅館|やど|hotel
旅行|りょこう|travel
料理|りょうり|recipe,cooking
献立|こんだて|meal plan
栄養|えいよう|nutrition
薬|くすり|drug,medicine
病気|びょうき|disease
運動|うんどう|workout
猫|ねこ|cat
犬|いぬ|dog
本|ほん|book
映画|えいが|movie,film
試合|しあい|match
将棋|しょうぎ|shogi
論文|ろんぶん|research paper,scientific paper
法令,法律|ほうれい|law
判例|はんれい|court decision
人口|じんこう|population
統計|とうけい|statistics
予測|よそく|prediction,forecast
検索|けんさく|search
速報|そくほう|breaking news
記事|きじ|article
見出し|みだし|headline
プルリクエスト,プルリク||pull request
コードレビュー||code review
締め切り,締切|しめきり|deadline
漏洩,漏えい,流出|ろうえい|leak,breach
メール||email,mail
電話番号|でんわばんごう|phone number
通知|つうち|notification
本人確認,eKYC,ekyc|ほんにんかくにん|identity verification,kyc
脆弱性|ぜいじゃくせい|vulnerability
証明書|しょうめいしょ|certificate
暗号化|あんごうか|encryption
荷物|にもつ|parcel,package
送料|そうりょう|shipping
在庫|ざいこ|stock,inventory
値段,価格|ねだん,かかく|price
家賃|やちん|rent
賃貸|ちんたい|rent,rental
名言|めいげん|quote,quotes
圧縮|あっしゅく|compress
ナンバープレート||license plate,number plate
筋トレ|きんとれ|workout
ヴィーガン,ビーガン||vegan
書類|しょるい|document
不動産|ふどうさん|real estate
保険|ほけん|insurance
祝日|しゅくじつ|holiday
時差,タイムゾーン|じさ|time zone,timezone
単位|たんい|unit
方程式|ほうていしき|equation
グラフ||chart
スクリーンショット||screenshot
ドメイン||domain
サーバー,サーバ||server
データベース||database
クラウド||cloud
ストレージ||storage
チャットボット||chatbot
スクレイピング||scraping
クローラー||crawler
ジオコーディング||geocoding
バーコード||barcode
センチメント,感情分析||sentiment
スプレッドシート||spreadsheet
プレゼン||presentation
アンケート||survey
リマインド,リマインダー||reminder,remind
ニュース||news
スポーツ||sports
グーグル||google
ツイッター||twitter
フェイスブック||facebook
インスタグラム,インスタ||instagram
ユーチューブ||youtube
ティックトック||tiktok
スラック||slack
ディスコード||discord
テレグラム||telegram
ノーション||notion
ギットハブ||github
アマゾン||amazon
マイクロソフト||microsoft
オープンエーアイ||openai
チャットジーピーティー||chatgpt
クロード||claude
ジェミニ||gemini
ミッドジャーニー||midjourney
スポティファイ||spotify
ネットフリックス||netflix
ウィキペディア||wikipedia
リンクトイン||linkedin
コインゲッコー||coingecko
コインベース||coinbase
バイナンス||binance
ユニスワップ||uniswap
メタマスク||metamask
オープンシー||opensea
チェーンリンク||chainlink
ディープエル||deepl
ショッピファイ||shopify
ストライプ||stripe
ペイパル||paypal
ワード||word
エクセル||excel
パワーポイント,パワポ||powerpoint
マークダウン||markdown
ショートメール,ショートメッセージ||sms,text message
ディープフェイク||deepfake
オラクル||oracle
ノード||node
フロア価格,フロアプライス||floor price
サンドボックス||sandbox
プロキシ||proxy
フィッシング||phishing
マルウェア||malware
パスポート||passport
ハッシュタグ||hashtag
レディット||reddit
ズーム||zoom
ライン||line
ヤフー||yahoo
ピンコーン,パインコーン||pinecone
ラングチェーン||langchain
ウィスパー||whisper
ジーメール||gmail
自然言語|しぜんげんご|natural language
ダミーデータ,テストデータ||test data,fake data,mock data
郵便番号|ゆうびんばんごう|postal code,zip code,postcode
緯度|いど|latitude
経度|けいど|longitude
計算|けいさん|calculate,calculation
履歴|りれき|history
会社,企業|かいしゃ,きぎょう|company
銀行|ぎんこう|bank
病院|びょういん|hospital
英語|えいご|english
手書き|てがき|handwriting
名刺|めいし|business card
商品|しょうひん|product
観光|かんこう|tourism
占い|うらない|fortune telling,horoscope
星座|せいざ|zodiac,constellation
漫画|まんが|manga,comics
歌詞|かし|lyrics
競馬|けいば|horse racing
野球|やきゅう|baseball
パスワード||password
クーポン||coupon
ミーム||meme
津波|つなみ|tsunami
洪水|こうずい|flood
警報|けいほう|warning,alert
税金|ぜいきん|tax
確定申告|かくていしんこく|tax return
学校|がっこう|school
駐車場|ちゅうしゃじょう|parking
新聞|しんぶん|newspaper
小説|しょうせつ|novel
色見本||palette
紫外線|しがいせん|uv index
出来高|できだか|volume
板情報||order book
資産管理||portfolio
年収|ねんしゅう|salary
感想|かんそう|reviews,opinions
好意的,肯定的||positive,sentiment
否定的,批判的||negative,sentiment
判決|はんけつ|court ruling,court decision
条文|じょうぶん|statute,law
利用規約,規約||terms of service
代表者,役員||directors
株主|かぶぬし|shareholders
信用調査||credit check,company report
取引先|とりひきさき|counterparty,customer
迷惑電話||spam call
迷惑メール||spam
不正アクセス||intrusion
間取り|まどり|floor plan
番組表||tv schedule
配信|はいしん|streaming
生放送|なまほうそう|live stream
言い換え|いいかえ|paraphrase
作文|さくぶん|essay
キャッチコピー||slogan,tagline
広告文||ad copy
被リンク||backlinks
アクセス解析||web analytics
閲覧数||page views
死活監視||uptime monitoring
運行情報||service status
配送|はいそう|shipping,delivery
名簿|めいぼ|contact list
予定表|よていひょう|calendar
空き時間|あきじかん|free slot
元号|げんごう|japanese era
旧暦|きゅうれき|lunar calendar
雑学,豆知識|ざつがく,まめちしき|trivia,random facts
参考文献||references,citations
塩基配列||dna sequence
里親|さとおや|pet adoption
海抜,標高|ひょうこう|elevation
雨雲|あまぐも|rain radar
熱中症|ねっちゅうしょう|heat stroke
問題集||quiz
志望動機||cover letter
在宅|ざいたく|remote
勤怠|きんたい|attendance
観光地,名所|かんこうち|sights,attractions
旅程|りょてい|itinerary,travel plan
民泊|みんぱく|vacation rental
空室|くうしつ|room availability
コンサート||concert
賞味期限||expiry date
順位表|じゅんいひょう|league table,standings
攻略|こうりゃく|walkthrough
定期実行||cron,scheduled task
裁定取引||arbitrage
自動売買||trading bot
占星術||astrology,horoscope
短縮|たんしゅく|shorten
詐欺|さぎ|scam,fraud
正規表現|せいきひょうげん|regular expression,regex
物価上昇率|ぶっかじょうしょうりつ|inflation,inflation rate
著作権|ちょさくけん|copyright
月齢,月の満ち欠け|げつれい|moon phase
`

/** Names of coins, cities, firms and days; those of countries come from ICU. */
const NAMES = `
イーサリアム,イーサ||ethereum,eth
ビットコイン||bitcoin,btc
ソラナ||solana,sol
ポリゴン||polygon
アービトラム||arbitrum
アバランチ||avalanche,avax
オプティミズム||optimism
リップル||ripple,xrp
ドージコイン||dogecoin,doge
ライトコイン||litecoin,ltc
カルダノ||cardano
ポルカドット||polkadot
トロン||tron
テザー||tether,usdt
ユーエスディーシー||usdc
ヨーロッパ,欧州||europe
アジア||asia
アフリカ||africa
東京||tokyo
大阪||osaka
京都||kyoto
札幌||sapporo
北海道||hokkaido
福岡||fukuoka
名古屋||nagoya
横浜||yokohama
神戸||kobe
広島||hiroshima
仙台||sendai
沖縄||okinawa
渋谷||shibuya
新宿||shinjuku
ニューヨーク||new york
ロサンゼルス||los angeles
サンフランシスコ||san francisco
シカゴ||chicago
シアトル||seattle
ボストン||boston
マイアミ||miami
トロント||toronto
バンクーバー||vancouver
ロンドン||london
マンチェスター||manchester
パリ||paris
リヨン||lyon
ベルリン||berlin
ミュンヘン||munich
ハンブルク||hamburg
フランクフルト||frankfurt
ローマ||rome
ミラノ||milan
ベネチア,ヴェネツィア||venice
マドリード||madrid
バルセロナ||barcelona
リスボン||lisbon
アムステルダム||amsterdam
ブリュッセル||brussels
ウィーン||vienna
チューリッヒ||zurich
ジュネーブ||geneva
ストックホルム||stockholm
オスロ||oslo
コペンハーゲン||copenhagen
ヘルシンキ||helsinki
ワルシャワ||warsaw
プラハ||prague
ブダペスト||budapest
アテネ||athens
ダブリン||dublin
モスクワ||moscow
イスタンブール||istanbul
ドバイ||dubai
デリー||delhi
ムンバイ||mumbai
バンコク||bangkok
ハノイ||hanoi
ジャカルタ||jakarta
マニラ||manila
ソウル||seoul
北京||beijing
上海||shanghai
台北||taipei
シドニー||sydney
メルボルン||melbourne
カイロ||cairo
ナイロビ||nairobi
ケープタウン||cape town
マイクロソフト||microsoft
アップル||apple
テスラ||tesla
エヌビディア||nvidia
サムスン||samsung
インテル||intel
ディズニー||disney
ナイキ||nike
トヨタ||toyota
ホンダ||honda
日産||nissan
ソニー||sony
任天堂||nintendo
ソフトバンク||softbank
ユニクロ||uniqlo
スターバックス,スタバ||starbucks
マクドナルド||mcdonald's
今日,本日||today
明日,あした||tomorrow
昨日,きのう||yesterday
今夜,今晩||tonight
今週||this week
来週||next week
先週||last week
今月||this month
来月||next month
先月||last month
今年||this year
来年||next year
昨年,去年||last year
週末||weekend
月曜日,月曜||monday
火曜日,火曜||tuesday
水曜日,水曜||wednesday
木曜日,木曜||thursday
金曜日,金曜||friday
土曜日,土曜||saturday
日曜日,日曜||sunday
`

/** Words, and what is searched in addition to them. */
const KINDS = `
リマインド,リマインダー,思い出させ|時刻に知らせ,recurring task
ヤマト運輸,佐川急便,クロネコヤマト,ゆうパック,宅急便,宅配便|荷物の追跡,荷物,parcel
歯医者,歯科,美容院,床屋,スーパー,コンビニ,パン屋,花屋,ガソリンスタンド|近くの店,営業時間,shops opening hours
エアコン,照明,スマートホーム|家の機器,smart home,devices at home
ワールドカップ,甲子園,プロ野球,jリーグ,大谷|試合の速報,順位表,sports scores
トルコリラ,リラ,バーツ,ルピー,ペソ,ルーブル,リンギット|為替レート,為替,exchange rates
配達の順番,配達ルート,配送ルート,巡回ルート|最短の順番,経路,route
盗用,剽窃,コピペ|写された,copied passages
ダイエットの献立,ダイエットレシピ,ダイエット食,ダイエットメニュー|健康レシピ,献立,レシピ
ダイエット|運動の計画,栄養,workout plans
声をまね,声をまねた,声真似,声のクローン,ボイスクローン,自分の声で|声の複製,clones voice,voice cloning
観光スポット,見どころ,見所,おでかけスポット|おすすめスポット,観光地,sights attractions
返信文,文面,敬語で,敬語に,丁寧な文章|ビジネスメール,文章作成,email writing
音声だけ,音声を抜き出,音声を抽出,音声を取り出,mp3に|音声に変換,audio conversion,mp3
何の病気,なんの病気,頭が痛い,お腹が痛い,喉が痛い,腰が痛い|症状から,病気,symptom checker
契約書のひな形,契約書の雛形,契約書のテンプレート,契約書を作,ひな形,雛形|契約書の作成,契約書を作,contracts drafts
名前を考え,名前をつけ,名前を付け,名付け,ネーミング,赤ちゃんの名前|ネーミング,命名,naming
コントラクトの監査,コントラクト監査,コントラクトの診断|トークンの危険,smart contract vulnerabilities
利用規約,規約を,約款|契約書,terms of service,explains contracts
流行り,流行って,はやりの,トレンド|話題,trending
商品レビュー,商品の口コミ,購入者の声|reviews product,口コミ
満月,新月,今夜の月|月齢,moon phase
コントラクトが詐欺,詐欺コントラクト,コントラクトは安全,コントラクトの安全|トークンの危険,smart contract vulnerabilities,scam
クジラの動き,クジラのウォレット,大口投資家,大口の動き|大口の送金,large transfers,wallet transactions
査定,査定額,買取価格,買取相場,下取り|価格,car pricing,vehicle value
決算説明会|earnings call,financial statements
最安値,価格比較,値段を比べ,料金比較|料金,prices compared,product prices
明細を,明細の,利用明細|項目,line items
メールアドレスを探,連絡先を探,メアドを探|連絡先,contact lookup,finds email
試合の結果,サッカーの結果,野球の結果,昨日の試合,サッカーの試合|試合の速報,sports scores
議事録,打ち合わせ,打合せ|会議,meetings
まとめる,まとめて,まとめたい,かいつまんで,手短に,要点,要旨|要約,summary,summarize
ぼやけた,ぼやけて,ぼけた,ピンぼけ,くっきり,粗い画像,高画質,高解像度|鮮明,拡大,enlarge,sharpen,upscale
白抜き,切り抜き,切り抜く,切り抜いて|背景,remove background
音楽を,曲を,bgm,作曲|曲,BGM,background music
集める,集めたい,集めて,収集|巡回,抜き出し,crawl
所要時間,何分かかる,何時間かかる|経路,travel time,walking directions
つぶやき,ツイート,炎上,バズ|SNSの投稿,posts
二段階認証,二要素認証,ワンタイムパスワード,認証コード|確認コード,one-time codes
捨てアド,捨てメアド,使い捨てメール|使い捨てのアドレス,disposable mailboxes
飲み合わせ|相互作用,drug interactions,薬
副作用,頭痛,風邪薬,痛み止め|薬,医薬品,drug
熱がある,腹痛,症状|症状,symptom
居酒屋,飲み会,宴会|飲食店,restaurants
残り物,ありあわせ|材料から料理,ingredients
揺れた,揺れて,ゆれた|地震,earthquake
誹謗中傷,暴言,荒らし,悪口|不適切,有害なコメント,toxic comments
誤字,誤字脱字,脱字,言い回し|校正,誤字脱字,grammar
棒グラフ,円グラフ,折れ線|グラフ,図表,charts
決算,業績,売上高,有報|決算書,財務,financial statements
電気自動車,充電スポット|vehicle charging
充電スタンド,充電ステーション,充電できる場所,急速充電器|charging locations,charging stations
ショートメール,ショートメッセージ|SMS,短いメッセージ,text messages
推論,推論api|言語モデル,chat completions
ツイッター,インスタ,インスタグラム,ティックトック,レディット,sns|SNSの投稿,social networks
乗り換え,乗換,のりかえ,乗り継ぎ|電車,時刻表,timetables
求人情報,求人票,求人広告,転職,採用情報,アルバイト,バイト|求人,job offers
家賃,家賃相場,賃料,地価,物件,賃貸|住宅,rents,homes listings
不動産|住宅,homes listings
登記,登記情報,登記簿,法人登記,商業登記|法人番号,company registry
詐欺サイト,偽サイト,サイト詐欺,怪しいサイト,怪しいリンク,フィッシングサイト|フィッシング,リンクの危険,phishing pages
オラクル,価格フィード|暗号資産の価格,crypto prices
rpc,rpcノード|rpc access,ブロックやトランザクション
rag,意味検索,セマンティック検索|ベクトル,text vectors
ベクトル化,ベクトルdb|ベクトル,text vectors
メアド,メールアドレス|メールアドレス,email address
試合速報,試合結果,スコア速報|試合の速報,sports scores
固定電話,固定か,携帯か,回線種別|回線の種類,carrier line,phone number validation
仮想通貨の税金,暗号資産の税金,仮想通貨の確定申告,暗号資産の確定申告|損益,profit loss
別のチェーン,他のチェーン,違うチェーン,クロスチェーン|ブリッジ,トークン交換,cross chain
ラグプル,ハニーポット,詐欺トークン|トークンの危険,smart contract vulnerabilities,scam
漏れ,漏れて,漏れた,情報漏洩,情報漏えい,流出した|漏洩,breach,data breaches
jpg,jpeg,heic,webp,画像形式|image conversion,image format
docx|office documents,ワード
配当,配当金,配当利回り,高配当,高配当株|dividends,決算書
制裁,反社,マネロン,マネーロンダリング|制裁リスト,sanctions
求人,仕事探し,働き口,就職|求人,job board,job offers,job search
ガソリン,軽油,ガソリン価格,給油|燃料,fuel price,diesel prices
金価格,金の価格,金の値段,金相場,銀価格,プラチナ,原油,貴金属|commodity price,precious metals
微分,積分,因数分解,方程式,数式,連立方程式|方程式を解,solves equations,math calculator
好意的,批判的,否定的,肯定的,好評,不評,ポジティブ,ネガティブ,ポジネガ|感情,口コミ,sentiment
大気汚染,空気の汚れ,空気が汚い,空気はきれい,光化学スモッグ,黄砂|大気汚染,air quality,air pollution
短縮url,短縮リンク,urlを短,リンクを短|url shortener,short url
ダジャレ,冗談,ジョーク|jokes
にせの,ニセの,偽の,架空の,ダミーの,テスト用の|fake data,test data
バーコードから,janコード,バーコードで検索|barcode numbers,product barcode
フライトの遅延,フライト状況,便の遅れ,欠航,運航状況,飛行機の遅れ|flight status,delay flight,飛行機の遅延
国会議員,議員|government representatives
動物病院,獣医|veterinary clinic,veterinary emergency
車のナンバー,ナンバー読み取り,ナンバープレート|license plate,number plate
売上の予測,売上予測,需要予測,需要の予測|時系列を予測,forecasts time series,time series
買っても安全,トークンは安全,コインは安全,怪しいトークン|トークンの危険,smart contract vulnerabilities,scam
パスワード付きpdf,pdfのパスワード|pdf tools,pdf files,pdfを結合
運勢,星占い,星座占い|horoscope
旅程,旅行プラン,旅の計画,旅行計画,弾丸旅行|旅行プラン,travel planning,itinerary planning
席の予約,テーブル予約,予約の取れる|飲食店,restaurant reservation,restaurants
泊まる,泊まれる,宿泊先,民泊,ビジネスホテル|ホテル,宿泊,hotels
航空券,飛行機のチケット,格安航空券,フライト|航空券,flights,airlines
ライブのチケット,コンサート,フェス,公演|search events,event tickets,events venues
カロリー,糖質,たんぱく質の量,アレルゲン|栄養,nutrition,calories
筋トレ,ランニング|運動の計画,workout plans
終電,始発,運休,乗り遅れ|電車,時刻表,timetables
渋滞,抜け道|経路,traffic,travel time
最寄り,近くにある,周辺の|近くの店,nearby places
迷惑電話,着信元,知らない番号|電話番号,phone number lookup
ウイルスチェック,ウイルス対策,ウィルスチェック,ウイルススキャン,感染したファイル,ランサムウェア|マルウェア,malware,scans files
パスワード漏洩,流出,漏洩した|漏洩,data breaches
証明書の期限,ssl証明書,tls|証明書,certificate expiry
ドメインの空き,ドメインが空,取得できるドメイン|ドメイン,domain availability
名刺|名刺,business card
確定申告,税金の計算,税額|tax calculation
株主,代表者,役員,資本金,実質的支配者|company directors,beneficial owners,company registry
補助金,助成金,公共調達|公開データ,government grants,tenders
判例,裁判例,判決,条文,民法,刑法,労働基準法,会社法|法令,条文,laws,court decisions
人口,失業率,物価,国内総生産,gdp|統計,official statistics,economic indicators
社債,投資信託,インデックス,日経平均,ナスダック|株価,share prices,stock quotes
ビットコインの値段,仮想通貨の値段,コインの値段,時価総額|暗号資産の価格,crypto prices
保有銘柄,ポートフォリオ,持っているトークン|トークンと評価額,token balances,wallet balances
最低価格,フロア価格,nftコレクション|nft,NFTコレクション,nft collections
手数料の目安|ガス代,gas fee
先物,無期限先物,建玉,清算データ|derivatives trading,futures trading,derivatives price
予測市場|prediction markets
価格アラート,値下がり通知,値下げ通知,価格の通知|値下がりを知らせ,price falls
住所を正規化,住所の正規化,住所正規化,住所の表記揺れ,住所の表記ゆれ|validate postal address
替えると,スワップ|トークン交換,swap quotes
両替,外貨|為替レート,為替,exchange rates
言い換え,リライト,書き直し,書き換え,書き直して|rewriting text,paraphrase
キャッチコピー,宣伝文,広告文,商品説明,ランディングページ|広告の文,marketing copy
論文,先行研究,文献,学術論文,査読|論文,scientific papers
宿題,テスト勉強,算数,家庭教師,勉強|教科,tutor
サムネ,サムネイル,リサイズ,画像のサイズ|resize images,image resizing
スクショ,画面キャプチャ,サイトの画像,ページの画像|画面を画像,スクリーンショット,screenshot
ライブ配信,見逃し配信,どこで見られ,どこで見れ|映画,streaming,film
荷物,配達状況,配送状況|荷物の追跡,parcel
二人の顔,同一人物,同じ人,本人か|顔写真,compares faces,face
温度計,湿度計|センサー,sensor readings
メール配信,メルマガ,一斉メール|メールを送,sends email
傘が必要,傘いる,傘いるか,傘いるかな,傘はいる,傘はいりますか,傘がいる,傘がいりますか,傘を持,傘持って|天気予報,降水確率,weather forecast
暑い,寒い,暑く,寒く,暑さ,寒さ,気温は何度,外は何度|天気予報,最高気温,weather forecast
コントラクト|smart contract,スマートコントラクト
スマートコントラクトの監査,スマートコントラクト監査,スマートコントラクトの診断,スマートコントラクトの安全|コントラクトの脆弱性,smart contract vulnerabilities
脆弱性診断,脆弱性スキャン,脆弱性検査|脆弱性,vulnerabilities scan
論文を探,論文検索,論文を検索,論文の検索,論文を調べ,論文探し,文献検索,文献を探|論文と引用,文献検索,scientific papers,research papers
ツイート検索,ツイートを検索,ツイートの検索,ツイート取得,ツイートを取得,ツイートを集め,ツイート収集,投稿を取得,投稿の取得,投稿を検索,投稿の検索,投稿を集め,投稿を収集|投稿とフォロワー,posts followers,read twitter
資金調達率,ファンディングレート|funding rate,derivatives trading,futures trading,derivatives price
今何時,いま何時,今なんじ,いまなんじ,何時ですか|時差,time zone,timezone
行き方,どうやって行|経路,route,walking directions
曲なに,曲は何,曲は何ですか,曲何,曲の名前,何の曲,なんの曲,なんて曲,何て曲|曲名,曲の名前,song title
今夜何食べ,何を食べよう,夕飯どうしよう,晩ごはん何|レシピ,料理,recipe
英語に,フランス語に,ドイツ語に,スペイン語に,イタリア語に,ポルトガル語に,ロシア語に,アラビア語に,ヒンディー語に,中国語に,日本語に,韓国語に,ベトナム語に,タイ語に,インドネシア語に|翻訳,translation
`

const listOf = (text = ''): string[] => text.split(',').filter(word => word !== '')

/** ストレージ is also typed as すとれーじ. */
const toTyped = (word: string): string[] =>
  /^[ァ-ヶー]{3,}$/.test(word)
    ? [word.replace(/[ァ-ヶ]/g, kana => String.fromCharCode(kana.charCodeAt(0) - 0x60))]
    : []

const toWords = (lines: string): LexiconEntry[] =>
  lines
    .trim()
    .split('\n')
    .map(line => {
      const [written, read, english] = line.split('|')
      const words = listOf(written)
      return {
        words: [...words, ...listOf(english)],
        readings: [...listOf(read), ...words.flatMap(toTyped)],
      }
    })

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const namesIn = (language: string) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })

/** The names of all countries: フィンランド is Finland. */
function toCountries(): LexiconEntry[] {
  const [japanese, english] = [namesIn('ja'), namesIn('en')]
  const codes = LETTERS.flatMap(first => LETTERS.map(second => first + second))
  return codes.flatMap(code => {
    const names = [japanese.of(code), english.of(code)?.toLowerCase()]
    return names.every(name => name !== undefined) ? [{ words: names, readings: [] }] : []
  })
}

export const JAPANESE_LEXICON: readonly LexiconEntry[] = [
  ...toWords(LINES),
  ...[...toWords(NAMES), ...toCountries()].map(entry => ({ ...entry, isName: true })),
  ...KINDS.trim()
    .split('\n')
    .map(line => {
      const [words, names] = line.split('|')
      return { words: [], readings: listOf(words), also: listOf(names) }
    }),
]
