// How the bytes of a body come from Node: with the head, or later.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { readBytes } from '../../../src/http/server/json-body.ts';

const body = '{"a":1}';
const head = `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n`;

describe('a body from a connection', () => {
  /** Whether the stream of each request was made to flow, so that there were events. */
  const flows: boolean[] = [];
  const server = createServer(async (request, response) => {
    const bytes = await readBytes(request);
    flows.push(request.readableFlowing !== null);
    response.end(bytes);
  });
  before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  after(() => server.close());

  it('needs no events if it was sent with its head, and the connection goes on', async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (text) => {
      received += text;
    });
    const answers = () => received.split(body).length - 1;
    for (const pieces of [[head + body], [head + body + head + body], [head, body], [head + body]]) {
      const expected = answers() + pieces.join('').split(head).length - 1;
      const [first, ...later] = pieces;
      const begun = once(server, 'request');
      socket.write(first ?? '');
      await begun;
      // The head has been read, so these bytes come after it.
      for (const piece of later) socket.write(piece);
      while (answers() < expected) await once(socket, 'data');
    }
    socket.destroy();
    assert.deepEqual(flows, [false, false, false, true, false]);
  });
});
