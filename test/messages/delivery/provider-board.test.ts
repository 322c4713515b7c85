// What a process leaves out: as a whole, for countries, and since when.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createProviderBoard } from '../../../src/messages/delivery/provider-board.ts';
import type { ProviderState } from '../../../src/messages/delivery/provider-place.ts';

function openBoard() {
  const board = createProviderBoard({ sms: ['twilio', 'twilio-2'], mail: ['smtp'] });
  let since = 0;
  const note = (state: ProviderState, country?: string, provider = 'twilio') => {
    since += 1;
    board.note({ channel: 'sms', provider, ...(country !== undefined && { country }), state, since });
  };
  const list = () => board.list().map(({ provider, country = 'all', since: at }) => `${provider} ${country} ${at}`);
  return { board, note, list };
}

it('a board knows its providers, and leaves none out at first', () => {
  const { board, list } = openBoard();
  assert.deepEqual(
    board.names.map(({ channel, provider }) => `${channel} ${provider}`),
    ['sms twilio', 'sms twilio-2', 'mail smtp'],
  );
  assert.deepEqual(list(), []);
});

it('a provider is left out from the first trouble until it is taken back', () => {
  const { note, list } = openBoard();
  note('paused');
  note('open');
  assert.deepEqual(list(), ['twilio all 1']);
  note('closed');
  assert.deepEqual(list(), []);
  note('open');
  assert.deepEqual(list(), ['twilio all 4']);
});

it('countries stand alone, while it waits too, until the whole provider fails', () => {
  const { note, list } = openBoard();
  note('open', 'FR');
  note('open', 'DE');
  note('open', 'FR', 'twilio-2');
  note('closed', 'DE');
  note('paused');
  assert.deepEqual(list(), ['twilio FR 1', 'twilio-2 FR 3', 'twilio all 5']);
  note('open');
  assert.deepEqual(list(), ['twilio-2 FR 3', 'twilio all 5']);
});

it('a new beginning leaves nothing out', () => {
  const { board, note, list } = openBoard();
  note('open');
  note('open', 'FR', 'twilio-2');
  board.clear();
  assert.deepEqual(list(), []);
});
