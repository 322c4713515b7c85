// The OpenAPI document: valid by a linter, complete by the route table, and correct by the failure table.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { failureReplies } from '../../../src/http/interface/failure-replies.ts';
import { plainLines } from '../../../src/http/plain-lines.ts';
import { accountExample } from '../../../src/http/routes/user-schemas.ts';
import { failureCodes } from '../../../src/kernel/failure.ts';
import { type Gatehouse, isolatedEnv, startGatehouse } from '../../helpers/services/gatehouse.ts';
import { resolveOpenApi } from '../../helpers/services/openapi-document.ts';

type Operation = {
  operationId: string;
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; description?: string }[];
  requestBody?: { content: Record<string, object> };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
};

type Content = {
  schema?: { allOf?: { properties?: { codeError?: { enum: string[] } } }[] };
  example?: { codeError?: string | null };
};

type ObjectSchema = { properties: Record<string, Partial<ObjectSchema> | undefined>; additionalProperties?: boolean };

type Document = {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, object>;
    schemas: { FailureCode: { enum: string[] }; User: ObjectSchema };
  };
};

/** The addresses under /api/file are older than the rule. Probes and public documents refuse nobody; a form only redirects. */
const exceptions = [
  'no-ambiguous-paths #/paths//api/file/{id}/restore',
  'no-ambiguous-paths #/paths//api/file/{id}/links',
  'no-ambiguous-paths #/paths//api/file/{id}/readers',
  'operation-4xx-response #/paths//api/file/upload/options/responses',
  'operation-2xx-response #/paths//oauth/logout/post/responses',
  'operation-4xx-response #/paths//.well-known/jwks.json/get/responses',
  'operation-4xx-response #/paths//livez/get/responses',
  'operation-4xx-response #/paths//readyz/get/responses',
  'operation-4xx-response #/paths//openapi.json/get/responses',
];

describe('the OpenAPI document', () => {
  let service: Gatehouse;
  let dispose: () => Promise<void>;
  let text: string;
  let document: Document;
  let paths: Document['paths'];
  before(async () => {
    const isolated = await isolatedEnv('sqlite');
    dispose = isolated.dispose;
    service = await startGatehouse(isolated.env);
    text = await (await fetch(`${service.url}/openapi.json`)).text();
    document = JSON.parse(text) as Document;
    paths = resolveOpenApi<Document['paths']>(document as unknown as Record<string, unknown>);
  });
  after(async () => {
    await service.stop();
    await dispose();
  });

  it('the OpenAPI document passes the linter without an error or a warning, but for the listed ones', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        'no-server-example.com': 'off',
        'operation-4xx-response': 'error',
        'no-invalid-media-type-examples': 'error',
      },
    });
    const problems = await lintFromString({ source: text, config });
    const found = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer?.replaceAll('~1', '/')}`);
    assert.deepEqual(found, exceptions);
  });

  it('the OpenAPI document has less than 200 KB', () => {
    assert.ok(Buffer.byteLength(text) < 200_000, `${Buffer.byteLength(text)} bytes`);
  });

  it('the OpenAPI document lists HEAD, OPTIONS, interim responses and the endpoints of OpenID Connect', () => {
    const upload = paths['/api/file/upload'] ?? assert.fail();
    assert.deepEqual(Object.keys(upload), ['post', 'options']);
    assert.deepEqual(Object.keys(upload.post?.responses ?? {}).slice(0, 2), ['104', '201']);
    assert.deepEqual(Object.keys(paths['/file/{id}'] ?? {}), ['get', 'head']);
    assert.equal(paths['/file/{id}']?.head?.responses['200']?.content, undefined);
    for (const { method, path } of plainLines) assert.ok(paths[path]?.[method.toLowerCase()], path);
  });

  it('the reference that this service serves has a section for every operation of the document', async () => {
    const described = new Set<string>();
    // HEAD is described with GET.
    for (const { head: _, ...operations } of Object.values(paths))
      for (const { operationId } of Object.values(operations))
        if (operationId !== undefined) described.add(operationId);
    const index = (await (await fetch(`${service.url}/docs/search.json`)).json()) as { readonly url: string }[];
    const shown = index.flatMap(({ url }) => /^\/docs\/api\/[\w-]+#(\w+)$/.exec(url)?.[1] ?? []);
    assert.ok(described.size > 80, `${described.size} operations`);
    assert.deepEqual(
      [...described].filter((name) => !shown.includes(name)),
      [],
    );
  });

  it('an object of any content says so, because generators of types take it for an empty one otherwise', () => {
    const { claims, metadata } = document.components.schemas.User.properties;
    for (const schema of [claims, metadata?.properties?.public, metadata?.properties?.private])
      assert.equal(schema?.additionalProperties, true);
  });

  it('the OpenAPI document is version 0.0.2 in OpenAPI 3.1 and names the seven security schemes', () => {
    assert.equal(document.openapi, '3.1.0');
    assert.equal(document.info.version, '0.0.2');
    assert.deepEqual(document.components.securitySchemes, {
      bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      jwtCookie: { type: 'apiKey', in: 'cookie', name: 'JWT' },
      refreshTokenHeader: { type: 'apiKey', in: 'header', name: 'RT' },
      refreshTokenCookie: { type: 'apiKey', in: 'cookie', name: 'RT' },
      browserSession: { type: 'apiKey', in: 'cookie', name: 'SSO' },
      serviceKey: { type: 'http', scheme: 'bearer', bearerFormat: 'gks_<id>_<secret>' },
      adminSession: { type: 'apiKey', in: 'cookie', name: 'ADMIN' },
      appSecret: { type: 'http', scheme: 'basic' },
    });
  });

  it('the OpenAPI document has every endpoint of the contract, with its credentials', () => {
    const at = (path: string, method: string) => paths[path]?.[method];
    const access = [{ bearerAuth: [] }, { jwtCookie: [] }];
    const refresh = [{ refreshTokenHeader: [] }, { refreshTokenCookie: [] }];
    const both = [
      { bearerAuth: [], refreshTokenHeader: [] },
      { bearerAuth: [] },
      { jwtCookie: [], refreshTokenCookie: [] },
    ];
    for (const [path, method, security, hasCaptcha] of [
      ['/api/auth/phone/send/otp', 'post', [], true],
      ['/api/auth/phone/login', 'post', [], false],
      ['/api/auth/email/send/login-link', 'post', [], true],
      ['/api/auth/email/send/otp', 'post', access, true],
      ['/api/auth/email/add', 'put', access, false],
      ['/api/auth/phone/change/send', 'post', access, true],
      ['/api/auth/phone/change', 'put', access, false],
      ['/api/auth/proof/send', 'post', access, true],
      ['/api/auth/proof', 'post', both, false],
      ['/api/auth/refresh-token', 'post', refresh, false],
      ['/api/file/upload', 'post', access, false],
      ['/file/{id}', 'get', [...access, {}], false],
    ] as const) {
      const operation = at(path, method);
      assert.ok(operation, path);
      assert.deepEqual(operation.security, security, path);
      const names = (operation.parameters ?? []).map((parameter) => parameter.name);
      assert.equal(names.includes('captcha-token'), hasCaptcha, path);
    }
  });

  it('the OpenAPI document describes both answers of a change of the number', () => {
    const { responses } = paths['/api/auth/phone/change']?.put ?? assert.fail();
    const exampleOf = (status: string) => {
      const { example } = (responses[status]?.content?.['application/json'] ?? {}) as { example?: { data: object } };
      return Object.keys(example?.data ?? {});
    };
    assert.deepEqual(exampleOf('200'), Object.keys(accountExample));
    assert.deepEqual(exampleOf('202'), ['phone', 'effectiveAt']);
    assert.match(responses['202']?.description ?? '', /scheduled/);
  });

  it('the OpenAPI document describes every way to send a file, and what a request for a file returns', () => {
    const send = paths['/api/file/upload']?.post ?? assert.fail();
    const get = paths['/file/{id}']?.get ?? assert.fail();
    const described = ({ parameters = [] }: Operation) =>
      parameters.filter(({ description }) => description !== undefined).map(({ name }) => name);
    const headers = ['X-File-Purpose', 'Content-Disposition', 'Idempotency-Key', 'Repr-Digest', 'Content-Digest'];
    const inParts = ['Upload-Complete', 'Upload-Length', 'Upload-Draft-Interop-Version'];
    assert.deepEqual(described(send), ['purpose', 'name', ...headers, ...inParts]);
    assert.deepEqual(Object.keys(send.requestBody?.content ?? {}), ['multipart/form-data', '*/*']);
    assert.deepEqual(described(get), ['redirect', 'download', 'variant', 'l', 'Range', 'If-None-Match']);
    assert.match(get.responses['200']?.description ?? '', /bytes of the file .* charset .* Vary/);
  });

  it('the OpenAPI document lists every failure code once, and every operation only listed codes', () => {
    const always = failureCodes.filter((code) => failureReplies[code].onlyWith === undefined);
    assert.deepEqual(document.components.schemas.FailureCode.enum, always);
    for (const [path, methods] of Object.entries(paths)) {
      for (const operation of Object.values(methods)) {
        for (const [status, response] of Object.entries(operation.responses)) {
          const { schema, example } = response.content?.['application/json'] ?? {};
          const codes = schema?.allOf?.flatMap(({ properties }) => properties?.codeError?.enum ?? []) ?? [];
          if (codes.length > 0) assert.ok(codes.includes(example?.codeError ?? ''), `${path} ${status}`);
          for (const code of codes) assert.ok(failureCodes.some((known) => known === code));
        }
      }
    }
  });

  it('every operation of the OpenAPI document has its own operation id', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    );
    assert.equal(new Set(ids).size, ids.length);
  });
});
