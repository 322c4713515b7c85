// The role of the staff member who is signed in: what the page offers, and how it names the role.
import { texts } from './admin-texts.ts';
import { type CallName, type Calls, leastRoles } from './api-types.ts';

type Role = Calls['adminMe']['data']['role'];

const roles: readonly Role[] = ['viewer', 'support', 'owner'];

let ownRole: Role = 'viewer';

/** The page calls it before it shows anything to staff. */
export function setRole(role: Role): void {
  ownRole = role;
}

/** The service decides. The page only leaves out what would be refused. */
export function mayCall(name: CallName): boolean {
  return roles.indexOf(ownRole) >= roles.indexOf(leastRoles[name]);
}

export const roleNames: Readonly<Record<Role, string>> = {
  viewer: texts.roleViewer,
  support: texts.roleSupport,
  owner: texts.roleOwner,
};

export const roleNotes: Readonly<Record<Role, string>> = {
  viewer: texts.viewerNote,
  support: texts.supportNote,
  owner: '',
};
