// The roles of staff: what each may do, from the one that only looks to the one that may do everything.

/** From the least to the most: each role may do what the ones before it may. */
export const staffRoles = ['viewer', 'support', 'owner'] as const;

export type StaffRole = (typeof staffRoles)[number];

/** A sign-in that an older version issued has no role: until then every member of staff could do everything. */
export const roleOfOld: StaffRole = 'owner';

/** The role of a stored sign-in. One that only a later version knows may look and nothing else. */
export function readRole(text: string | null): StaffRole {
  if (text === null) return roleOfOld;
  return staffRoles.find((role) => role === text) ?? 'viewer';
}

export function includesRole(has: StaffRole, needed: StaffRole): boolean {
  return staffRoles.indexOf(has) >= staffRoles.indexOf(needed);
}
