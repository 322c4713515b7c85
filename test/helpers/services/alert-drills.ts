// The drills of the alert rules: the series of a good day, and for each alert what breaks and when it must have fired.

/** Values in the notation of promtool, one for each minute: `0+60x30` starts at 0 and adds 60, thirty times. */
type Series = Readonly<Record<string, string>>;

type Drill = {
  /** Replaces series of the good day. Undefined: the series is absent. */
  readonly broken: Readonly<Record<string, string | undefined>>;
  /** In minutes from the beginning of the fault, which is that of the series. */
  readonly within: number;
};

const hours = 8;
export const minutes = hours * 60;

const steady = (value: number) => `${value}x${minutes}`;
const rising = (each: number) => `0+${each}x${minutes}`;
const ok = (route: string, method: string) =>
  `gatehouse_request_seconds_count{job="gatehouse",route="${route}",method="${method}",status="200"}`;
const failing = (route: string, method: string) =>
  `gatehouse_request_seconds_count{job="gatehouse",route="${route}",method="${method}",status="503"}`;
const failure = (code: string) => `gatehouse_failures_total{route="/api/auth/phone/login",code="${code}"}`;
const delivery = (outcome: string, provider = 'twilio') =>
  `gatehouse_deliveries_total{channel="sms",provider="${provider}",outcome="${outcome}"}`;
const bucket = (name: string, le: string, labels = '') => `gatehouse_${name}_seconds_bucket{${labels}le="${le}"}`;
const signIn = 'route="/api/auth/phone/login",';

const login = '/api/auth/phone/login';
const upload = '/api/file/upload';
const send = '/api/auth/phone/send/otp';

/** A minute with traffic, a wrong code now and then, one refused message in a hundred and a spare provider that is not needed. */
export const goodDay: Series = {
  'up{job="gatehouse",instance="a"}': steady(1),
  'gatehouse_codes_requested_total{purpose="phone-login"}': rising(60),
  'gatehouse_sign_ins_total{method="sms",outcome="known"}': rising(50),
  [failure('OTP_INVALID')]: rising(2),
  [failure('STORAGE_UNAVAILABLE')]: steady(0),
  'gatehouse_refreshes_total{outcome="rotated"}': rising(1000),
  'gatehouse_refreshes_total{outcome="reused"}': `0+0.1x${minutes}`,
  'gatehouse_captcha_checks_total{outcome="unavailable"}': steady(0),
  gatehouse_outbox_oldest_seconds: `0 1 0 3x${minutes}`,
  [delivery('accepted')]: rising(60),
  [delivery('refused')]: `0+0.6x${minutes}`,
  [delivery('parked', 'outbox')]: `0+0.02x${minutes}`,
  'gatehouse_provider_left_out{channel="sms",provider="twilio"}': steady(0),
  'gatehouse_provider_countries_left_out{channel="sms",provider="twilio"}': steady(0),
  gatehouse_sms_today: steady(900),
  gatehouse_sms_day_limit: steady(5000),
  'gatehouse_limits_struck_total{limit="sms-unused"}': steady(0),
  gatehouse_webhooks_oldest_seconds: steady(2),
  'gatehouse_webhooks_total{outcome="parked"}': steady(0),
  gatehouse_webhooks_full: steady(0),
  'gatehouse_scans_total{outcome="unreachable"}': steady(0),
  [ok(login, 'POST')]: rising(600),
  [failing(login, 'POST')]: steady(0),
  [ok(send, 'POST')]: rising(60),
  [failing(send, 'POST')]: steady(0),
  [ok(upload, 'POST')]: rising(600),
  [failing(upload, 'POST')]: steady(0),
  [bucket('request', '0.1', signIn)]: rising(600),
  [bucket('request', '2.5', signIn)]: rising(600),
  [bucket('request', '+Inf', signIn)]: rising(600),
  [bucket('store_batch', '0.01')]: rising(600),
  [bucket('store_batch', '1')]: rising(600),
  [bucket('store_batch', '+Inf')]: rising(600),
  gatehouse_store_troubles_total: steady(0),
  'gatehouse_sweep_failures_total{table="sessions"}': steady(0),
  gatehouse_sweep_stopped: steady(0),
  gatehouse_records_without_blob: steady(0),
  'nodejs_eventloop_lag_p99_seconds{instance="a"}': steady(0.02),
  'gatehouse_gauge_failures_total{gauge="outbox_oldest_seconds"}': steady(0),
  // A backup each night, a journal each minute.
  gatehouse_backup_age_seconds: `80000+60x${minutes}`,
  gatehouse_journal_age_seconds: steady(45),
  gatehouse_service_keys_ending: steady(0),
};

export const drills: Readonly<Record<string, Drill>> = {
  GatehouseFewCodesUsed: {
    broken: { 'gatehouse_sign_ins_total{method="sms",outcome="known"}': rising(10) },
    within: 20,
  },
  GatehouseManyWrongCodes: { broken: { [failure('OTP_INVALID')]: rising(200) }, within: 15 },
  GatehouseRefreshTokensReused: { broken: { 'gatehouse_refreshes_total{outcome="reused"}': rising(20) }, within: 10 },
  GatehouseCaptchaUnavailable: {
    broken: { 'gatehouse_captcha_checks_total{outcome="unavailable"}': rising(30) },
    within: 10,
  },
  // The only provider is down, and one user a minute asks for a code: the oldest message waits until its code expires.
  GatehouseMessagesWait: {
    broken: { gatehouse_outbox_oldest_seconds: '0+60x5 290 40 100 160 220 280 30 90' },
    within: 5,
  },
  GatehouseMessagesParked: { broken: { [delivery('parked', 'outbox')]: rising(20) }, within: 3 },
  GatehouseProviderLeftOut: {
    broken: { 'gatehouse_provider_left_out{channel="sms",provider="twilio"}': steady(1) },
    within: 4,
  },
  GatehouseProviderLeftOutForCountries: {
    broken: { 'gatehouse_provider_countries_left_out{channel="sms",provider="twilio"}': steady(2) },
    within: 12,
  },
  GatehouseProviderRefuses: { broken: { [delivery('refused')]: rising(60) }, within: 10 },
  GatehouseSpendNearLimit: { broken: { gatehouse_sms_today: steady(4500) }, within: 1 },
  GatehouseSpendSuspended: { broken: { 'gatehouse_limits_struck_total{limit="sms-unused"}': rising(5) }, within: 2 },
  GatehouseWebhooksWait: { broken: { gatehouse_webhooks_oldest_seconds: rising(60) }, within: 25 },
  GatehouseWebhooksParked: { broken: { 'gatehouse_webhooks_total{outcome="parked"}': rising(1) }, within: 2 },
  GatehouseWebhookQueueFull: { broken: { gatehouse_webhooks_full: steady(1) }, within: 1 },
  GatehouseScannerFails: { broken: { 'gatehouse_scans_total{outcome="unreachable"}': rising(10) }, within: 10 },
  GatehouseSignInBudgetBurnsFast: { broken: { [failing(login, 'POST')]: rising(30) }, within: 10 },
  GatehouseSignInBudgetBurnsSlowly: { broken: { [failing(login, 'POST')]: rising(6) }, within: 60 },
  // No message is given up, because none is accepted.
  GatehouseSendBudgetBurnsFast: { broken: { [failing(send, 'POST')]: rising(15) }, within: 10 },
  GatehouseSendBudgetBurnsSlowly: { broken: { [delivery('parked', 'outbox')]: rising(5) }, within: 60 },
  GatehouseUploadBudgetBurnsFast: { broken: { [failing(upload, 'POST')]: rising(30) }, within: 10 },
  GatehouseUploadBudgetBurnsSlowly: { broken: { [failing(upload, 'POST')]: rising(6) }, within: 60 },
  GatehouseDown: { broken: { 'up{job="gatehouse",instance="a"}': steady(0) }, within: 2 },
  GatehouseAbsent: { broken: { 'up{job="gatehouse",instance="a"}': undefined }, within: 6 },
  GatehouseGaugesUnreadable: {
    broken: {
      'gatehouse_gauge_failures_total{gauge="outbox_oldest_seconds"}': rising(4),
      gatehouse_outbox_oldest_seconds: undefined,
    },
    within: 8,
  },
  GatehouseServerErrors: { broken: { [failing(login, 'POST')]: rising(60) }, within: 10 },
  GatehouseSlowAnswers: { broken: { [bucket('request', '0.1', signIn)]: rising(60) }, within: 15 },
  GatehouseDatabaseTrouble: { broken: { gatehouse_store_troubles_total: rising(10) }, within: 5 },
  GatehouseDatabaseSlow: { broken: { [bucket('store_batch', '0.01')]: rising(60) }, within: 15 },
  GatehouseStorageTrouble: { broken: { [failure('STORAGE_UNAVAILABLE')]: rising(5) }, within: 5 },
  GatehouseSweepFails: { broken: { 'gatehouse_sweep_failures_total{table="sessions"}': rising(2) }, within: 30 },
  GatehouseSweepStopped: { broken: { gatehouse_sweep_stopped: steady(1) }, within: 6 },
  GatehouseFilesMissing: { broken: { gatehouse_records_without_blob: steady(3) }, within: 6 },
  GatehouseEventLoopBusy: { broken: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': steady(0.6) }, within: 12 },
  GatehouseBackupOld: { broken: { gatehouse_backup_age_seconds: `129000+60x${minutes}` }, within: 90 },
  GatehouseJournalOld: { broken: { gatehouse_journal_age_seconds: rising(60) }, within: 25 },
  GatehouseServiceKeysEnd: { broken: { gatehouse_service_keys_ending: steady(1) }, within: 65 },
};
