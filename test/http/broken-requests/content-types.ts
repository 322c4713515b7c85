// Broken requests: spellings of the content type. One that counts as JSON is validated in full, any other is refused.
import { type BrokenRequest, request } from '../../helpers/requests/raw-request.ts';

const asJson = [
  'application/json',
  'Application/JSON',
  'APPLICATION/JSON',
  'application/json;',
  'application/json; ',
  'application/json ; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json; Charset=Utf-8',
  'application/json;\tcharset=utf-8',
  'application/json\t; charset=utf-8',
  'application/json; charset=utf8',
  'application/json; profile=x',
  'application/json; charset=utf-8; profile=x',
  'application/json; profile=x; charset=utf-8',
  'application/json; boundary=x',
];

const refused = [
  'application/json x',
  'application/json\tx',
  'application/json, application/json',
  'application/json,text/plain',
  'application/json/x',
  'application/jsonx',
  'application/json5',
  'application/json+x',
  'application/x-json',
  'application/problem+json',
  'application/vnd.api+json',
  'application/ld+json',
  'application/json-patch+json',
  'application/ json',
  'application /json',
  'application\\json',
  'application',
  'application/',
  '/json',
  '/',
  '*/*',
  'application/*',
  'json',
  'text/json',
  'text/plain',
  'text/plain; application/json',
  'text/plain;application/json',
  'text/html',
  'text/xml',
  'application/xml',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'multipart/mixed; boundary="x"',
  'application/javascript',
  'application/json; charset=utf-16',
  'application/json; charset=utf-16le',
  'application/json; charset=utf-7',
  'application/json; charset=iso-8859-1',
  'application/json; charset=latin1',
  'application/json; charset=',
  'application/json; charset=utf-8x',
  'application/json; charset=x-utf-8',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json; charset=utf-16; charset=utf-8',
  'application/json\xff',
  '"application/json"',
  "'application/json'",
  ';',
  '; charset=utf-8',
  'null',
  'undefined',
];

const path = '/api/auth/phone/send/otp';

const typed = (type: string, body: string) => (credentials: { captcha: string }) =>
  request(`POST ${path}`, [`Content-Type: ${type}`, `captcha-token: ${credentials.captcha}`], body);

export const contentTypes: readonly BrokenRequest[] = [
  ...asJson.map((type) => ({
    name: `a bad field sent as ${show(type)}`,
    bytes: typed(type, '{"recipient":1}'),
    code: 'REQUEST_INVALID' as const,
    field: 'recipient',
  })),
  ...refused.map((type) => ({
    name: `the content type ${show(type)}`,
    bytes: typed(type, '{"recipient":"+12025550123"}'),
    code: 'MEDIA_TYPE_UNSUPPORTED' as const,
  })),
  {
    name: 'an empty content type',
    bytes: typed('', '{"recipient":"+12025550123"}'),
    code: 'MEDIA_TYPE_UNSUPPORTED',
  },
  {
    name: 'a body without a content type',
    bytes: ({ captcha }) => request(`POST ${path}`, [`captcha-token: ${captcha}`], '{"recipient":"+12025550123"}'),
    code: 'MEDIA_TYPE_UNSUPPORTED',
  },
  {
    name: 'a form on a call without a body',
    bytes: ({ refreshToken }) =>
      request(
        'POST /api/auth/refresh-token',
        ['Content-Type: application/x-www-form-urlencoded', `RT: ${refreshToken}`],
        'grant_type=refresh_token',
      ),
    code: 'MEDIA_TYPE_UNSUPPORTED',
  },
  {
    name: 'a body without a content type on a call without a body',
    bytes: ({ refreshToken }) => request('POST /api/auth/refresh-token', [`RT: ${refreshToken}`], 'x'),
    code: 'MEDIA_TYPE_UNSUPPORTED',
  },
  {
    name: 'a form body on an unknown path',
    bytes: request('POST /nowhere', ['Content-Type: application/x-www-form-urlencoded'], 'a=b'),
    code: 'NOT_FOUND',
  },
  {
    name: 'broken JSON on an unknown path',
    bytes: request('POST /nowhere', ['Content-Type: application/json'], '{'),
    code: 'NOT_FOUND',
  },
  {
    name: 'a form body with a wrong method',
    bytes: request('POST /api/auth/me', ['Content-Type: application/x-www-form-urlencoded'], 'a=b'),
    code: 'METHOD_NOT_ALLOWED',
  },
];

function show(type: string): string {
  return JSON.stringify(type);
}
