// Before an answer is given, every connection that the system has received is accepted, and its request is read.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, it } from 'node:test';
import { createLetArrive } from '../../../../src/http/server/connections/let-arrive.ts';

describe('what arrives before an answer', () => {
  for (const many of [1, 12, 60])
    it(`${many} requests on new connections are all read`, async (test) => {
      let requests = 0;
      const server = createServer((_, response) => {
        requests += 1;
        response.end();
      });
      const letArrive = createLetArrive(server);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const sockets = Array.from({ length: many }, () => connect({ host: '127.0.0.1', port }));
      test.after(() => {
        for (const socket of sockets) socket.destroy();
        server.close();
      });
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      const before = requests;
      await letArrive();
      assert.equal(requests, many, `${before} before`);
    });

  it('the wait ends although new connections keep arriving', async () => {
    const server = new EventEmitter();
    const letArrive = createLetArrive(server as unknown as Server);
    let isOver = false;
    const arrive = () => {
      server.emit('connection');
      if (!isOver) setImmediate(arrive);
    };
    arrive();
    await letArrive();
    isOver = true;
  });
});
