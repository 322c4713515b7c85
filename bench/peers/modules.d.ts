// The types that the bench uses of the peers' packages, so that it is checked even if they are not installed.
declare module 'better-auth' {
  export type Auth = {
    readonly options: object;
    readonly api: { sendPhoneNumberOTP(call: { body: { phoneNumber: string } }): Promise<unknown> };
    readonly $context: Promise<{
      readonly adapter: { create(row: { model: string; data: object }): Promise<{ id: string }> };
    }>;
  };
  export function betterAuth(options: object): Auth;
}

declare module 'better-auth/node' {
  import type { RequestListener } from 'node:http';
  import type { Auth } from 'better-auth';
  export function toNodeHandler(auth: Auth): RequestListener;
}

declare module 'better-auth/plugins' {
  export function phoneNumber(options: object): object;
  export function magicLink(options: object): object;
  export function jwt(options: object): object;
  export function bearer(): object;
}

declare module 'better-auth/db/migration' {
  export function getMigrations(options: object): Promise<{ runMigrations(): Promise<void> }>;
}

declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  type Model = new (
    values: object,
  ) => {
    save(): Promise<string>;
    addResourceScope(resource: string, scope: string): void;
    addOIDCScope(scope: string): void;
  };
  export class Provider {
    constructor(issuer: string, options: object);
    readonly Grant: Model;
    readonly RefreshToken: Model;
    readonly AuthorizationCode: Model;
    readonly Client: { find(id: string): Promise<object> };
    callback(): RequestListener;
  }
}

declare module '@tus/file-store' {
  export class FileStore {
    constructor(options: { readonly directory: string });
  }
}

declare module '@tus/server' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  import type { FileStore } from '@tus/file-store';

  export class Server {
    constructor(options: { readonly path: string; readonly datastore: FileStore });
    handle(incoming: IncomingMessage, response: ServerResponse): Promise<unknown>;
  }
}
