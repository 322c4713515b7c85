// The check before an upload: it refuses only what the service surely refuses, whatever a system calls the type.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type MediaType, typesOf } from '#media/media-type';
import { findFault } from '../../client/src/find-fault.ts';
import { extensionsOf } from '../../src/files/purpose.ts';
import { declaredNames } from '../helpers/requests/declared-names.ts';

function isRefused(types: readonly MediaType[], name: string, type: string): boolean {
  const purpose = { types: [...types], extensions: extensionsOf(types), maxBytes: 100 };
  return findFault({ name, type, size: 10 }, purpose)?.code === 'FILE_TYPE_NOT_ALLOWED';
}

describe('the check before an upload', () => {
  for (const [type, names] of declaredNames) {
    it(`the check refuses no name of ${type}, with its extension or without one`, () => {
      for (const name of names.split(' ')) {
        for (const extension of extensionsOf([type]))
          assert.equal(isRefused([type], `a.${extension}`, name), false, name);
        const isOther = /^(image|audio|video|text)\//.test(name) && name.split('/')[0] !== type.split('/')[0];
        if (!isOther) assert.equal(isRefused([type], 'a', name), false, name);
      }
    });
  }

  const [image, audio, document] = [typesOf('image'), typesOf('audio'), typesOf('document', 'text')];
  for (const [types, name, type, expected] of [
    [audio, 'a.mp4', 'video/mp4', false],
    [audio, 'recording', 'audio/webm;codecs=opus', false],
    [audio, 'a', 'video/ogg', false],
    [audio, 'a.avi', 'video/x-msvideo', true],
    [audio, 'a', 'image/png', true],
    [image, 'a', 'audio/mpeg', true],
    [image, 'a.mp3', 'audio/mpeg', true],
    [image, 'a.jfif', '', false],
    [image, 'a.pdf', 'application/pdf', true],
    [image, 'a', 'application/octet-stream', false],
    [image, 'a', '', false],
    [image, 'Holiday 12.08.2024', '', false],
    [image, 'Dr. Smith', '', false],
    [image, 'photo.jpg_large', '', false],
    [image, 'photo.JPG ', '', false],
    [image, 'a.mp4', '', true],
    [image, 'a.7z', '', true],
    [image, 'Holiday 12.08.2024', 'audio/mpeg', true],
    [document, 'a.md', 'text/markdown', false],
    [document, 'a.html', 'text/html', true],
    [document, 'a.js', 'text/javascript', true],
    [document, 'a.csv', 'application/vnd.ms-excel', false],
    [document, 'a', 'application/vnd.ms-excel', false],
    [document, 'a', 'image/png', true],
  ] as const) {
    it(`a file ${name} of the type “${type}” is ${expected ? '' : 'not '}refused before the upload for ${types[0]} and the like`, () =>
      assert.equal(isRefused(types, name, type), expected));
  }
});
