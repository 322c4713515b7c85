// Every declared type that clients send, in each request form: the same answer as for the same bytes without a type.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { MediaType } from '#media/media-type';
import { fixtures, pictures } from '../../../media/test/helpers/media-files.ts';
import { newPhone, signIn } from '../../helpers/requests/api.ts';
import { declaredNames, silentTypes } from '../../helpers/requests/declared-names.ts';
import { type Form, upload } from '../../helpers/requests/upload.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { pngFile } from '../../helpers/uploads/sample-files.ts';

const forms: readonly Form[] = ['multipart', 'raw', 'json'];

/** The smallest file of a real program. */
function sampleOf(type: MediaType): Buffer {
  const files = [...fixtures(), ...pictures()].filter((file) => file.type === type).map(({ bytes }) => bytes);
  const [smallest] = files.toSorted((left, right) => left.length - right.length);
  assert.ok(smallest !== undefined, type);
  return smallest;
}

describe('declared types over HTTP', () => {
  const stage = setStage('sqlite', { LIMIT_UPLOADS_PER_USER: 'off' });
  let token: string;
  before(async () => {
    token = (await signIn(stage.url, newPhone())).JWT;
  });

  const typeOf = async (form: Form, type: string, bytes: Buffer) => {
    const { status, body } = await upload(stage.url, {
      form,
      bytes,
      type,
      purpose: 'attachment',
      name: 'a',
      token,
    });
    return status === 201 ? body.data.type : `${status} ${body.codeError}`;
  };

  for (const [type, names] of declaredNames) {
    it(`every declared name of ${type} is accepted in every request form`, async () => {
      const bytes = sampleOf(type);
      const asked = names.split(' ').flatMap((name) => forms.map((form) => ({ name, form })));
      const answers = await Promise.all(
        asked.map(async ({ name, form }) => `${name} ${form} ${await typeOf(form, name, bytes)}`),
      );
      assert.deepEqual(
        answers,
        asked.map(({ name, form }) => `${name} ${form} ${type}`),
      );
    });
  }

  it('a declared type that says nothing leaves the type to the bytes in every request form', async () => {
    for (const type of silentTypes) {
      const answers = await Promise.all(forms.map((form) => typeOf(form, type, pngFile())));
      assert.deepEqual(answers, ['image/png', 'image/png', 'image/png'], type);
    }
  });

  it('a declared type that contradicts the bytes is refused in every request form', async () => {
    for (const type of ['image/jpeg', 'text/plain', 'text/html', 'application/x-msdownload']) {
      const answers = await Promise.all(forms.map((form) => typeOf(form, type, pngFile())));
      assert.deepEqual(answers, Array(3).fill('422 FILE_TYPE_MISMATCH'), type);
    }
  });
});
