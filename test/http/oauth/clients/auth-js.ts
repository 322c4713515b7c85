// Auth.js without its own types, which would bring those of a browser into the types of all tests.
type Profile = { readonly sub?: string; readonly phone_number?: unknown };
type Account = { readonly access_token?: string; readonly refresh_token?: string; readonly id_token?: string };

export type AuthConfig = {
  basePath: string;
  secret: string;
  trustHost: boolean;
  providers: { profile(profile: Profile): object; readonly [option: string]: unknown }[];
  callbacks: { jwt(event: { token: object; account?: Account | null }): object };
  logger: { error(error: Error): void };
};

/** A name that the compiler does not follow. */
const library: string = '@auth/core';

export const { Auth }: { Auth(request: Request, config: AuthConfig): Promise<Response> } = await import(library);
