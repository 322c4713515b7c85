// The types that tests use of packages that bring none.
declare module 'recipe-express' {
  import type { Server } from 'node:http';

  function express(): express.Application;
  namespace express {
    type Request = {
      session: Record<string, unknown>;
      user?: unknown;
      readonly query: Readonly<Record<string, string>>;
      readonly headers: Readonly<Record<string, string | undefined>>;
    };
    type Response = {
      json(value: unknown): void;
      cookie(name: string, value: string): void;
      status(code: number): Response;
    };
    type Handler = (request: Request, response: Response, next: () => void) => void;
    type ErrorHandler = (error: Error, request: Request, response: Response, next: () => void) => void;
    type Application = {
      use(handler: Handler | ErrorHandler): void;
      get(path: string, ...handlers: Handler[]): void;
      listen(port: number, host: string, ready: () => void): Server;
    };
  }
  export = express;
}

declare module 'passport' {
  import type { Handler } from 'recipe-express';

  export class Passport {
    use(name: string, strategy: object): void;
    authenticate(name: string, options: object): Handler;
  }
}

declare module 'passport-openidconnect' {
  import type { Request } from 'recipe-express';

  /** Passport looks at the number of parameters. */
  export type Verify = (
    issuer: string,
    profile: { readonly id: string },
    context: object,
    idToken: string,
    accessToken: string,
    refreshToken: string,
    verified: (error: unknown, user: object) => void,
  ) => void;
  type Exchange = { getOAuthAccessToken(code: string, params: object, done: (error: unknown) => void): void };
  export class Strategy {
    constructor(options: object, verify: Verify);
    /** For subclasses, as is the next. */
    _oauth2: Exchange;
    authorizationParams(options: object): object;
    authenticate(request: Request, options: object): void;
  }
}
