// Proves that a foreign page whose host name resolves to this machine cannot read the inbox.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { enter, messagesTo } from '../../helpers/people/users.ts';
import { readEnvelope } from '../../helpers/requests/api.ts';
import { sendRaw } from '../../helpers/requests/raw-request.ts';
import { setStage } from '../../helpers/services/stage.ts';

describe('the inbox of local mode', () => {
  const stage = setStage('sqlite');

  async function ask(path: string, host: string) {
    const [reply = assert.fail('no answer')] = await sendRaw(
      stage.url,
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    );
    return reply;
  }

  it('the inbox answers requests under host names that no foreign site can own', async () => {
    const hosts = ['LOCALHOST:8080', '127.0.0.1:1'];
    for (const host of hosts) assert.equal((await ask('/api/inbox', host)).status, 200, host);
  });

  it('the inbox and its mails refuse requests under any other host name', async () => {
    const { phone } = await enter(stage.url);
    const [{ id } = assert.fail('no message')] = await messagesTo(stage.url, phone);
    const hosts = ['evil.example:8080', 'evil.local'];
    for (const host of hosts) {
      for (const path of ['/api/inbox', `/inbox/mail/${id}`]) {
        const reply = await ask(path, host);
        assert.equal(`${reply.status} ${readEnvelope(reply.body).codeError}`, '400 REQUEST_INVALID', `${host}${path}`);
        assert.ok(!reply.body.includes(phone));
      }
    }
  });
});
