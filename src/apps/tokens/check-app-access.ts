// The access check of a service with apps: the token of an app opens what the list of apps allows now, not what it allowed when it was issued.
import type { AccessClaims } from '../../auth/tokens/access-token.ts';
import type { AccessCheck } from '../../auth/tokens/check-access-token.ts';
import { Failure } from '../../kernel/failure.ts';
import { type AppList, allowedScopes } from '../clients/app.ts';

export function createAppAccessCheck(check: AccessCheck, apps: AppList): AccessCheck {
  const judge = (claims: AccessClaims): AccessClaims => {
    if (claims.app === undefined) return claims;
    const app = apps.find(claims.app.id);
    // The operator removed the app from the list on purpose.
    if (app === undefined) throw new Failure('SESSION_REVOKED');
    return { ...claims, app: { ...claims.app, scopes: allowedScopes(app, claims.app.scopes) } };
  };
  return (token) => {
    const claims = check(token);
    return claims instanceof Promise ? claims.then(judge) : judge(claims);
  };
}
