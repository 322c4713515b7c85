// A bare Fastify route that signs one ES256 token and does nothing else.
import { generateKeyPairSync, sign } from 'node:crypto';
import fastify from 'recipe-fastify';
import { serve } from './served.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const };
const header = toPart({ alg: 'ES256', typ: 'JWT', kid: 'bench' });
const app = fastify();

app.post('/token', async () => {
  const now = Math.floor(Date.now() / 1000);
  const signed = `${header}.${toPart({ sub: 'somebody', sid: 'a-session', iat: now, exp: now + 900 })}`;
  return { token: `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}` };
});
await app.ready();
serve(app.server);

function toPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
