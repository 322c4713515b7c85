// Registers the endpoints of OpenID Connect. They are always there; without apps, every app is unknown.

import type { Routes } from '../server/server.ts';
import { registerAuthorize } from './authorize.ts';
import { registerDiscovery } from './discovery.ts';
import { registerLogout } from './logout.ts';
import type { OAuthParts } from './oauth-parts.ts';
import { registerRevoke } from './revoke.ts';
import { registerToken } from './token.ts';
import { registerUserinfo } from './userinfo.ts';

export function registerOAuthRoutes(server: Routes, parts: OAuthParts): void {
  registerDiscovery(server, parts.publicUrl);
  registerAuthorize(server, parts);
  registerToken(server, parts);
  registerUserinfo(server, parts);
  registerRevoke(server, parts);
  registerLogout(server, parts);
}
