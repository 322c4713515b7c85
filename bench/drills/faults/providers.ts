// The faults of what the service calls: the first of two SMS providers, the mail server, and the object storage.
import type { Drill } from '../drill.ts';
import type { SmsMood } from '../sms-provider.ts';
import { linkFaults, refuse, set } from './link-faults.ts';

const page = 'a 2xx of the endpoint is an acceptance by its contract, so nobody can know that the message was not sent';

/** A provider that has failed a moment ago is left out, so the next fault would hit nobody. */
export const smsDrills: readonly Drill[] = (
  [
    { part: 'sms', fault: 'down', how: 'provider A refuses connections', begin: ({ links }) => refuse([links.smsA]) },
    sms('hangs', 'provider A takes requests, and neither answers nor sends', 'hangs'),
    sms('answers are lost', 'provider A sends, and its answers never come', 'mute'),
    {
      part: 'sms',
      fault: 'half-open',
      how: 'packets to provider A vanish; connections from before stay dead after the fault',
      begin: ({ links }) => set([links.smsA], 'vanish'),
    },
    sms('slow 30 s', 'provider A sends and answers 30 s late, also when nobody waits any more', 'slow'),
    ...linkFaults('sms', ({ links }) => [links.smsA]).filter(({ fault }) => fault === 'flaps'),
    sms('429', 'provider A answers 429 with Retry-After: 5', { status: 429, retryAfter: 5 }),
    sms('500', 'provider A answers 500', { status: 500 }),
    sms('503', 'provider A answers 503', { status: 503 }),
    sms('403', 'provider A answers 403, as with a key that was withdrawn', { status: 403 }),
    {
      part: 'sms',
      fault: 'wrong answer',
      how: 'another program answers on the port of provider A, and it does not speak HTTP',
      begin: ({ links }) => set([links.smsA], { garbage: '\u0000\u0016\u0003 250 this is no web server\r\n' }),
    },
    {
      ...sms('page', 'provider A answers 200 with a web page, and sends nothing', 'page'),
      excuses: { codes: page, recovery: page },
    },
  ] satisfies Drill[]
).map((drill) => ({ ...drill, needs: 'no memory' }));

export const mailDrills: readonly Drill[] = [
  ...linkFaults('smtp', ({ links }) => [links.smtp]),
  mail('451', 451, '4.7.1 greylisted, try again later'),
  mail('full', 452, '4.2.2 mailbox full'),
  {
    ...mail('554', 554, '5.7.1 rejected'),
    excuses: { codes: 'the only mail server refuses for good, so the mail is given up and parked' },
  },
  {
    part: 'smtp',
    fault: 'answers are lost',
    how: 'the server delivers, and its last answer never comes',
    begin: async ({ mail: server }) => {
      server.isMute = true;
      return async () => {
        server.isMute = false;
      };
    },
  },
];

const storageAlerts = ['GatehouseStorageTrouble'];

/** A call gives up only after three attempts of 5 s, and nobody counts it before. */
const untilCounted = 30;

export const s3Drills: readonly Drill[] = [
  ...linkFaults('s3', ({ links }) => [links.s3], { alerts: storageAlerts, seconds: untilCounted }),
  s3('429', 'every request is answered 503 SlowDown', 503, 'SlowDown'),
  s3('500', 'every request is answered 500', 500, 'InternalError'),
  s3('full', 'every write is answered 507', 507, 'InsufficientStorage', ['PUT', 'POST']),
  {
    part: 's3',
    fault: 'answers are lost',
    how: 'objects are stored, and the connection ends instead of the answer',
    alerts: storageAlerts,
    begin: async ({ s3: server }) => {
      server.faults.add('PUT', { kind: 'lost answer' });
      return async () => server.faults.clear();
    },
  },
];

function sms(fault: string, how: string, mood: SmsMood): Drill {
  return {
    part: 'sms',
    fault,
    how,
    begin: async ({ smsA }) => {
      smsA.mood = mood;
      return async () => {
        smsA.mood = 'good';
      };
    },
  };
}

function mail(fault: string, code: number, text: string): Drill {
  return {
    part: 'smtp',
    fault,
    how: `every mail is refused with ${code} ${text}`,
    begin: async ({ mail: server }) => {
      server.refusal = { code, text };
      return async () => {
        server.refusal = undefined;
      };
    },
  };
}

function s3(
  fault: string,
  how: string,
  status: number,
  code: string,
  methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
): Drill {
  return {
    part: 's3',
    fault,
    how,
    alerts: storageAlerts,
    begin: async ({ s3: server }) => {
      for (const method of methods) server.faults.add(method, { kind: 'status', status, code });
      return async () => server.faults.clear();
    },
  };
}
