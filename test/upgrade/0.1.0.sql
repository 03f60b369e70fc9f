-- A database of version 0.1.0, as its own server has written it.
PRAGMA application_id = 1397248578;
PRAGMA user_version = 11;
BEGIN TRANSACTION;
CREATE TABLE api_keys (
    id           TEXT NOT NULL PRIMARY KEY,
    name         TEXT NOT NULL,
    hash         TEXT NOT NULL UNIQUE,
    scopes       TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    expires_at   TEXT,
    revoked_at   TEXT,
    last_used_at TEXT
  , wallet TEXT) STRICT, WITHOUT ROWID;
INSERT INTO "api_keys" VALUES('key_0037vd8ycx','before-key','dee979bbd0f86f02d9beb83ae9a9ad50f404876c4ed7e93eff190a9593ac0acd','["register"]','2026-11-16T16:03:15.326Z',NULL,NULL,NULL,NULL);
INSERT INTO "api_keys" VALUES('key_pkcfvv0wb5','first key','88101446b3efafb61843d0bcf000007ccf0d64698f9b55f91e1457922f751f92','["register","admin"]','2026-11-16T16:03:04.637Z',NULL,NULL,NULL,NULL);
CREATE TABLE chain_cursors (
    chain   TEXT    NOT NULL PRIMARY KEY,
    block   INTEGER NOT NULL,
    hash    TEXT    NOT NULL,
    earlier TEXT    NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE chain_payees (
    chain     TEXT    NOT NULL,
    address   TEXT    NOT NULL,
    read_from INTEGER NOT NULL,
    goal      INTEGER NOT NULL,
    PRIMARY KEY (chain, address)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE challenges (
    nonce      TEXT NOT NULL PRIMARY KEY,
    message    TEXT NOT NULL,
    address    TEXT NOT NULL,
    wallet     TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE counter (
    name  TEXT    NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO "counter" VALUES('seq',83);
CREATE TABLE events (
    number     INTEGER PRIMARY KEY,
    seq        INTEGER NOT NULL,
    service_id TEXT    NOT NULL,
    type       TEXT    NOT NULL,
    at         TEXT    NOT NULL,
    reason     TEXT,
    before     TEXT,
    after      TEXT
  ) STRICT;
INSERT INTO "events" VALUES(1,1,'svc_01m7jhj13eezgbnfxqrb762y76','registered','2026-11-16T16:03:04.430Z',NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,2,'svc_01m7jhj13eezgsvnsz97nwx0s2','registered','2026-11-16T16:03:04.430Z',NULL,NULL,NULL);
INSERT INTO "events" VALUES(3,3,'svc_01m7jhj13eezhadbtnbv0d4wbj','registered','2026-11-16T16:03:04.430Z',NULL,NULL,NULL);
INSERT INTO "events" VALUES(4,4,'svc_01m7jhj13eezhrrtxefw5qmayp','registered','2026-11-16T16:03:04.430Z',NULL,NULL,NULL);
INSERT INTO "events" VALUES(5,5,'svc_01m7jhj13eezj82bsty5cykb7j','registered','2026-11-16T16:03:04.430Z',NULL,NULL,NULL);
INSERT INTO "events" VALUES(6,6,'svc_01m7jhj13eezjrnx9kq5yvnasp','registered','2026-11-16T16:03:04.430Z',NULL,NULL,NULL);
INSERT INTO "events" VALUES(65,65,'svc_01m7jhj38qevj9kpf3e4rdvzve','registered','2026-11-16T16:03:06.647Z',NULL,NULL,NULL);
INSERT INTO "events" VALUES(66,66,'svc_01m7jhj3f4e6m966srby6zp8je','registered','2026-11-16T16:03:06.852Z',NULL,NULL,NULL);
INSERT INTO "events" VALUES(67,67,'svc_01m7jhj3gveb3t8g5z1g5v81f1','registered','2026-11-16T16:03:06.907Z',NULL,NULL,NULL);
INSERT INTO "events" VALUES(68,68,'svc_01m7jhj3kaer4amdgb6y5g7j3y','registered','2026-11-16T16:03:06.986Z',NULL,NULL,NULL);
INSERT INTO "events" VALUES(69,69,'svc_01m7jhj3psej5a515tags5tt1z','registered','2026-11-16T16:03:07.097Z',NULL,NULL,NULL);
INSERT INTO "events" VALUES(70,70,'svc_01m7jhj3psej5a515tags5tt1z','status','2026-11-16T16:03:07.883Z','It takes payment on Base, the registered network. It asks to pay 0x1111111111111111111111111111111111111111, the registered address. It asks 0.001 USDC a request, as listed.','"unverified"','"verified"');
INSERT INTO "events" VALUES(71,71,'svc_01m7jhj38qevj9kpf3e4rdvzve','status','2026-11-16T16:03:08.771Z','It takes payment on Base, the registered network. It asks to pay 0x1111111111111111111111111111111111111111, the registered address. It asks 0.001 USDC a request, as listed.','"unverified"','"verified"');
INSERT INTO "events" VALUES(72,72,'svc_01m7jhj3kaer4amdgb6y5g7j3y','status','2026-11-16T16:03:09.771Z','It takes payment on Base, the registered network. It asks to pay 0x1111111111111111111111111111111111111111, the registered address. It asks 0.001 USDC a request, as listed.','"unverified"','"verified"');
INSERT INTO "events" VALUES(73,74,'svc_01m7jhj3psej5a515tags5tt1z','price','2026-11-16T16:03:13.415Z','Its owner changed the price.','{"amount":"0.001","currency":"USDC"}','{"amount":"0.002","currency":"USDC"}');
INSERT INTO "events" VALUES(74,75,'svc_01m7jhj3psej5a515tags5tt1z','status','2026-11-16T16:03:13.487Z','Its owner has taken it out of service: Closed on 1 March','"verified"','"inactive"');
INSERT INTO "events" VALUES(75,76,'svc_01m7jhj3kaer4amdgb6y5g7j3y','removed','2026-11-16T16:03:13.556Z',NULL,'{"id":"svc_01m7jhj3kaer4amdgb6y5g7j3y","name":"Short Lived","description":"Removed at once","endpoint":"http://127.0.0.1:4921/d","category":"weather","pricing":{"currency":"USDC","pricePerRequest":"0.001","freeQuota":0},"x402Config":{"paymentAddress":"0x1111111111111111111111111111111111111111","network":"base"},"trustScore":48,"status":"verified","supportedChains":["base"],"createdAt":"2026-11-16T16:03:06.986Z","updatedAt":"2026-11-16T16:03:09.771Z"}',NULL);
CREATE TABLE gists (
    service_id TEXT NOT NULL PRIMARY KEY,
    gist       BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE host_turns (
    host    TEXT    NOT NULL PRIMARY KEY,
    holder  TEXT    NOT NULL,
    ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE judgements (
    service_id TEXT NOT NULL PRIMARY KEY,
    facts      TEXT NOT NULL,
    finding    TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO "judgements" VALUES('svc_01m7jhj38qevj9kpf3e4rdvzve','{"tally":{"up":3,"failed":0,"refused":0,"payable":3,"mismatched":0,"asListed":3,"fast":3,"fair":0,"latencyTotalMs":98},"ageDays":0,"payers":null}','{"resource":null,"payTo":["0x1111111111111111111111111111111111111111"],"price":{"amount":"0.001","currency":"USDC"}}');
INSERT INTO "judgements" VALUES('svc_01m7jhj3f4e6m966srby6zp8je','{"tally":{"up":3,"failed":0,"refused":0,"payable":0,"mismatched":3,"asListed":0,"fast":3,"fair":0,"latencyTotalMs":82},"ageDays":0,"payers":null}','{"resource":null,"payTo":["0x2222222222222222222222222222222222222222"],"price":null}');
INSERT INTO "judgements" VALUES('svc_01m7jhj3gveb3t8g5z1g5v81f1','{"tally":{"up":3,"failed":0,"refused":0,"payable":0,"mismatched":0,"asListed":0,"fast":3,"fair":0,"latencyTotalMs":79},"ageDays":0,"payers":null}','{"resource":null,"payTo":null,"price":null}');
INSERT INTO "judgements" VALUES('svc_01m7jhj3psej5a515tags5tt1z','{"tally":{"up":1,"failed":0,"refused":0,"payable":1,"mismatched":0,"asListed":1,"fast":1,"fair":0,"latencyTotalMs":92},"ageDays":0,"payers":null}','{"resource":null,"payTo":["0x1111111111111111111111111111111111111111"],"price":{"amount":"0.001","currency":"USDC"}}');
CREATE TABLE leases (
    name    TEXT    NOT NULL PRIMARY KEY,
    holder  TEXT    NOT NULL,
    ends_at INTEGER NOT NULL,
    note    TEXT    NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE payment_totals (
    service_id      TEXT    NOT NULL PRIMARY KEY,
    tx_count        INTEGER NOT NULL,
    total_revenue   TEXT    NOT NULL,
    payers          INTEGER NOT NULL,
    last_payment_at TEXT
  ) STRICT, WITHOUT ROWID;
CREATE TABLE payments (
    chain      TEXT    NOT NULL,
    tx_hash    TEXT    NOT NULL,
    log_index  INTEGER NOT NULL,
    block      INTEGER NOT NULL,
    at         TEXT    NOT NULL,
    asset      TEXT    NOT NULL,
    payer      TEXT    NOT NULL,
    payee      TEXT    NOT NULL,
    amount     TEXT    NOT NULL,
    service_id TEXT,
    UNIQUE (chain, tx_hash, log_index)
  ) STRICT;
CREATE TABLE probe_days (
    service_id       TEXT    NOT NULL,
    day              TEXT    NOT NULL,
    up               INTEGER NOT NULL,
    failed           INTEGER NOT NULL,
    refused          INTEGER NOT NULL,
    payable          INTEGER NOT NULL,
    mismatched       INTEGER NOT NULL,
    as_listed        INTEGER NOT NULL,
    fast             INTEGER NOT NULL,
    fair             INTEGER NOT NULL,
    latency_total_ms INTEGER NOT NULL,
    PRIMARY KEY (service_id, day)
  ) STRICT, WITHOUT ROWID;
INSERT INTO "probe_days" VALUES('svc_01m7jhj38qevj9kpf3e4rdvzve','2026-11-16',3,0,0,3,0,3,3,0,98);
INSERT INTO "probe_days" VALUES('svc_01m7jhj3f4e6m966srby6zp8je','2026-11-16',3,0,0,0,3,0,3,0,82);
INSERT INTO "probe_days" VALUES('svc_01m7jhj3gveb3t8g5z1g5v81f1','2026-11-16',3,0,0,0,0,0,3,0,79);
INSERT INTO "probe_days" VALUES('svc_01m7jhj3kaer4amdgb6y5g7j3y','2026-11-16',1,0,0,1,0,1,1,0,3);
INSERT INTO "probe_days" VALUES('svc_01m7jhj3psej5a515tags5tt1z','2026-11-16',1,0,0,1,0,1,1,0,92);
CREATE TABLE probe_schedule (
    service_id   TEXT    NOT NULL PRIMARY KEY,
    due_at       INTEGER NOT NULL,
    leased_until INTEGER
  , lease TEXT) STRICT, WITHOUT ROWID;
INSERT INTO "probe_schedule" VALUES('svc_01m7jhj38qevj9kpf3e4rdvzve',1794848958182,NULL,NULL);
INSERT INTO "probe_schedule" VALUES('svc_01m7jhj3f4e6m966srby6zp8je',1794848290078,NULL,NULL);
INSERT INTO "probe_schedule" VALUES('svc_01m7jhj3gveb3t8g5z1g5v81f1',1794848821137,NULL,NULL);
CREATE TABLE probes (
    service_id  TEXT NOT NULL,
    at          TEXT NOT NULL,
    outcome     TEXT NOT NULL,
    http_status INTEGER,
    latency_ms  REAL,
    price_seen  TEXT,
    reasons     TEXT NOT NULL, as_listed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (service_id, at)
  ) STRICT, WITHOUT ROWID;
INSERT INTO "probes" VALUES('svc_01m7jhj38qevj9kpf3e4rdvzve','2026-11-16T16:03:08.771Z','payable',402,4.0,'0.001','["It takes payment on Base, the registered network.","It asks to pay 0x1111111111111111111111111111111111111111, the registered address.","It asks 0.001 USDC a request, as listed."]',1);
INSERT INTO "probes" VALUES('svc_01m7jhj38qevj9kpf3e4rdvzve','2026-11-16T16:03:16.609Z','payable',402,44.0,'0.001','["It takes payment on Base, the registered network.","It asks to pay 0x1111111111111111111111111111111111111111, the registered address.","It asks 0.001 USDC a request, as listed."]',1);
INSERT INTO "probes" VALUES('svc_01m7jhj38qevj9kpf3e4rdvzve','2026-11-16T16:03:23.750Z','payable',402,50.0,'0.001','["It takes payment on Base, the registered network.","It asks to pay 0x1111111111111111111111111111111111111111, the registered address.","It asks 0.001 USDC a request, as listed."]',1);
INSERT INTO "probes" VALUES('svc_01m7jhj3f4e6m966srby6zp8je','2026-11-16T16:03:11.770Z','mismatched',402,3.0,NULL,'["It asks to pay 0x2222222222222222222222222222222222222222, not 0x1111111111111111111111111111111111111111, the registered address."]',0);
INSERT INTO "probes" VALUES('svc_01m7jhj3f4e6m966srby6zp8je','2026-11-16T16:03:18.424Z','mismatched',402,31.0,NULL,'["It asks to pay 0x2222222222222222222222222222222222222222, not 0x1111111111111111111111111111111111111111, the registered address."]',0);
INSERT INTO "probes" VALUES('svc_01m7jhj3f4e6m966srby6zp8je','2026-11-16T16:03:25.176Z','mismatched',402,48.0,NULL,'["It asks to pay 0x2222222222222222222222222222222222222222, not 0x1111111111111111111111111111111111111111, the registered address."]',0);
INSERT INTO "probes" VALUES('svc_01m7jhj3gveb3t8g5z1g5v81f1','2026-11-16T16:03:14.922Z','unpayable',404,4.0,NULL,'["It answers 404 where 402 is expected.","Neither /.well-known/x402 nor /openapi.json names a resource under http://127.0.0.1:4921/c that answers 402 either."]',0);
INSERT INTO "probes" VALUES('svc_01m7jhj3gveb3t8g5z1g5v81f1','2026-11-16T16:03:22.564Z','unpayable',404,51.0,NULL,'["It answers 404 where 402 is expected.","Neither /.well-known/x402 nor /openapi.json names a resource under http://127.0.0.1:4921/c that answers 402 either."]',0);
INSERT INTO "probes" VALUES('svc_01m7jhj3gveb3t8g5z1g5v81f1','2026-11-16T16:03:29.610Z','unpayable',404,24.0,NULL,'["It answers 404 where 402 is expected.","Neither /.well-known/x402 nor /openapi.json names a resource under http://127.0.0.1:4921/c that answers 402 either."]',0);
INSERT INTO "probes" VALUES('svc_01m7jhj3kaer4amdgb6y5g7j3y','2026-11-16T16:03:09.771Z','payable',402,3.0,'0.001','["It takes payment on Base, the registered network.","It asks to pay 0x1111111111111111111111111111111111111111, the registered address.","It asks 0.001 USDC a request, as listed."]',1);
INSERT INTO "probes" VALUES('svc_01m7jhj3psej5a515tags5tt1z','2026-11-16T16:03:07.883Z','payable',402,92.0,'0.001','["It takes payment on Base, the registered network.","It asks to pay 0x1111111111111111111111111111111111111111, the registered address.","It asks 0.001 USDC a request, as listed."]',1);
CREATE TABLE removed_outlets (
    outlet TEXT NOT NULL PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
CREATE TABLE request_keys (
    caller      TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    at          INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    entries     TEXT    NOT NULL,
    UNIQUE (caller, key)
  ) STRICT;
CREATE TABLE services (
    seq               INTEGER PRIMARY KEY,
    object_seq        INTEGER NOT NULL,
    id                TEXT    NOT NULL UNIQUE,
    removed           INTEGER NOT NULL,
    name              TEXT    NOT NULL,
    description       TEXT    NOT NULL,
    endpoint          TEXT    NOT NULL,
    category          TEXT    NOT NULL,
    currency          TEXT    NOT NULL,
    price_per_request TEXT    NOT NULL,
    free_quota        INTEGER NOT NULL,
    payment_address   TEXT    NOT NULL,
    network           TEXT    NOT NULL,
    supported_chains  TEXT    NOT NULL,
    status            TEXT    NOT NULL,
    trust_score       INTEGER NOT NULL,
    uptime_score      REAL    NOT NULL,
    last_checked      TEXT    NOT NULL,
    tx_count          INTEGER NOT NULL,
    total_revenue     TEXT    NOT NULL,
    created_at        TEXT    NOT NULL,
    updated_at        TEXT    NOT NULL,
    owner             TEXT,
    source            TEXT    NOT NULL,
    source_url        TEXT,
    first_seen        TEXT    NOT NULL,
    sample            INTEGER NOT NULL,
    retired           TEXT
  , origin_key TEXT, origin_seq INTEGER, origin_held TEXT, origin_home INTEGER) STRICT;
INSERT INTO "services" VALUES(1,1,'svc_01m7jhj13eezgbnfxqrb762y76',0,'Skycast Forecast','Hourly and ten-day weather forecast for any point on Earth. Temperature, rain, snow, wind and humidity come back in one JSON answer.','https://api.skycast.example/v2/forecast','weather','USDC','0.002',100,'0x7aA3B0D047d135f43e8699E07783a548819BC25c','base','["base","polygon"]','verified',94,99.97,'2026-11-16T16:03:04.430Z',48210,'96.42','2026-11-16T16:03:04.430Z','2026-11-16T16:03:04.430Z',NULL,'sample',NULL,'2026-11-16T16:03:04.430Z',1,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "services" VALUES(2,2,'svc_01m7jhj13eezgsvnsz97nwx0s2',0,'Almanac Weather History','Daily and hourly observations from 40,000 ground stations, back to 1950. Made for backtesting, insurance claims and crop studies.','https://almanac-weather.example/observations','weather','USDC','0.012',0,'0x6552aab1345d374c58ab41683De4dBD2EA39320B','polygon','["polygon"]','verified',81,99.62,'2026-11-16T16:03:04.430Z',5318,'63.816','2026-11-16T16:03:04.430Z','2026-11-16T16:03:04.430Z',NULL,'sample',NULL,'2026-11-16T16:03:04.430Z',1,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "services" VALUES(3,3,'svc_01m7jhj13eezhadbtnbv0d4wbj',0,'Tidewater Marine','Wave height, swell, tides and sea surface temperature for sailors, surfers and harbour operators.','https://tidewater.example/api/sea','weather','USDC','0.005',0,'0xdFb7ce8611635fdAbc570E1359867c0082d21f3c','eip155:8453','["eip155:8453"]','unverified',42,97.4,'2026-11-16T16:03:04.430Z',612,'3.06','2026-11-16T16:03:04.430Z','2026-11-16T16:03:04.430Z',NULL,'sample',NULL,'2026-11-16T16:03:04.430Z',1,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "services" VALUES(4,4,'svc_01m7jhj13eezhrrtxefw5qmayp',0,'天気予報API そらまめ','全国1,900市区町村の天気予報を1時間ごとに返します。気温、降水確率、風速のほか、警報・注意報にも対応しています。','https://tenki.sora.example/v1','weather','JPYC','0.3',50,'0x0069062cfc0464476fed5434bdde7c740799d3ad','polygon','["polygon"]','verified',90,99.91,'2026-11-16T16:03:04.430Z',31544,'9463.2','2026-11-16T16:03:04.430Z','2026-11-16T16:03:04.430Z',NULL,'sample',NULL,'2026-11-16T16:03:04.430Z',1,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "services" VALUES(5,5,'svc_01m7jhj13eezj82bsty5cykb7j',0,'花粉レーダー','スギ・ヒノキ花粉の飛散量を市区町村ごとに実測と予測で提供します。アレルギー対策アプリや外出前のお知らせにご利用いただけます。','https://kafun-radar.example/api','weather','JPYC','0.5',0,'0xcC42c50CAe61fC33098D053f815705f154c5822c','avalanche','["avalanche"]','unverified',38,96.13,'2026-11-16T16:03:04.430Z',870,'435','2026-11-16T16:03:04.430Z','2026-11-16T16:03:04.430Z',NULL,'sample',NULL,'2026-11-16T16:03:04.430Z',1,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "services" VALUES(6,6,'svc_01m7jhj13eezjrnx9kq5yvnasp',0,'ゆれ速報','地震の震源・マグニチュード・各地の震度と津波警報を、発表から数秒で配信します。防災アプリや館内放送との連携に。','https://yure.bousai.example/v1/alerts','weather','JPYC','0.1',0,'0xb5BC3567dC17CB72114Bcc2a7e82368f045Cd6dd','eip155:137','["eip155:137"]','unverified',53,98.85,'2026-11-16T16:03:04.430Z',2210,'221','2026-11-16T16:03:04.430Z','2026-11-16T16:03:04.430Z',NULL,'sample',NULL,'2026-11-16T16:03:04.430Z',1,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "services" VALUES(75,75,'svc_01m7jhj3psej5a515tags5tt1z',0,'Moved House','Priced anew, retired','http://127.0.0.1:4921/e','weather','USDC','0.002',0,'0x1111111111111111111111111111111111111111','base','["base"]','inactive',18,100.0,'2026-11-16T16:03:07.883Z',0,'0','2026-11-16T16:03:07.097Z','2026-11-16T16:03:13.487Z','env_88783c5ce244','registered',NULL,'2026-11-16T16:03:07.097Z',0,'Closed on 1 March',NULL,NULL,NULL,NULL);
INSERT INTO "services" VALUES(76,76,'svc_01m7jhj3kaer4amdgb6y5g7j3y',1,'','','','','','',0,'','','','',0,0.0,'',0,'','','',NULL,'',NULL,'',0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "services" VALUES(81,81,'svc_01m7jhj38qevj9kpf3e4rdvzve',0,'Tide Tables','Tides for every harbour in Japan','http://127.0.0.1:4921/a','weather','USDC','0.001',0,'0x1111111111111111111111111111111111111111','base','["base"]','verified',58,100.0,'2026-11-16T16:03:23.750Z',0,'0','2026-11-16T16:03:06.647Z','2026-11-16T16:03:23.750Z','env_88783c5ce244','registered',NULL,'2026-11-16T16:03:06.647Z',0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "services" VALUES(82,82,'svc_01m7jhj3f4e6m966srby6zp8je',0,'Other Payee','Pays another wallet than listed','http://127.0.0.1:4921/b','weather','USDC','0.001',0,'0x1111111111111111111111111111111111111111','base','["base"]','unverified',21,100.0,'2026-11-16T16:03:25.176Z',0,'0','2026-11-16T16:03:06.852Z','2026-11-16T16:03:25.176Z','env_88783c5ce244','registered',NULL,'2026-11-16T16:03:06.852Z',0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "services" VALUES(83,83,'svc_01m7jhj3gveb3t8g5z1g5v81f1',0,'Gone Forecast','Answers 404','http://127.0.0.1:4921/c','weather','USDC','0.001',0,'0x1111111111111111111111111111111111111111','base','["base"]','unverified',21,100.0,'2026-11-16T16:03:29.610Z',0,'0','2026-11-16T16:03:06.907Z','2026-11-16T16:03:29.610Z','env_88783c5ce244','registered',NULL,'2026-11-16T16:03:06.907Z',0,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE sync_sources (
    url          TEXT NOT NULL PRIMARY KEY,
    state        TEXT NOT NULL,
    leased_until INTEGER
  ) STRICT, WITHOUT ROWID;
CREATE TABLE webhooks (
    id           TEXT    NOT NULL PRIMARY KEY,
    owner        TEXT    NOT NULL,
    secret       TEXT    NOT NULL,
    draft        TEXT    NOT NULL,
    created_at   TEXT    NOT NULL,
    cursor       INTEGER NOT NULL,
    due_at       INTEGER,
    progress     TEXT    NOT NULL,
    lease        TEXT,
    leased_until INTEGER
  ) STRICT, WITHOUT ROWID;
INSERT INTO "webhooks" VALUES('whk_01a1e5190fbe7260a7fd92e591be7359','env_88783c5ce244','whsec_0VihAs1ngEcFsg/E3vfPeggt0Eik4vmzfhTP3avsPZY=','{"url":"http://127.0.0.1:4922/hook","events":["service.registered","service.updated","service.status_changed","service.price_changed","service.payto_changed","service.removed"],"filter":{}}','2026-11-16T16:03:07.326Z',75,1794844995820,'{"ahead":[],"lastDeliveredAt":"2026-11-16T16:03:14.820Z","failures":0,"failingSince":null,"reason":null}',NULL,NULL);
CREATE INDEX events_by_service ON events (service_id, number);
CREATE INDEX probes_by_age ON probes (at);
CREATE INDEX probe_schedule_by_due ON probe_schedule (due_at);
CREATE INDEX request_keys_by_age ON request_keys (at);
CREATE INDEX probe_days_by_age ON probe_days (day);
CREATE INDEX payments_by_block ON payments (chain, block);
CREATE INDEX payments_by_payee ON payments (chain, payee, block);
CREATE INDEX payments_by_payer ON payments (service_id, payer, at) WHERE service_id IS NOT NULL;
CREATE INDEX api_keys_by_wallet ON api_keys (wallet) WHERE wallet IS NOT NULL;
CREATE INDEX challenges_by_age ON challenges (expires_at);
CREATE INDEX webhooks_by_owner ON webhooks (owner);
CREATE INDEX webhooks_by_due ON webhooks (due_at);
CREATE INDEX services_by_source ON services (source_url, id) WHERE origin_key IS NOT NULL;
CREATE INDEX services_by_payee ON services (lower(payment_address)) WHERE removed = 0;
CREATE INDEX probe_schedule_by_lease ON probe_schedule (lease) WHERE lease IS NOT NULL;
CREATE INDEX host_turns_by_end ON host_turns (ends_at);
COMMIT;
