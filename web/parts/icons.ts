// The icons of the pages that need more than the sign-in page. The build drops those that no page uses.
import type { IconPath } from './icon.tsx';

export const backIcon: IconPath = { path: 'M20 12H5m0 0 6-6m-6 6 6 6', isDirectional: true };
export const moreIcon: IconPath = { path: 'M5 12h.01M12 12h.01M19 12h.01' };
export const downloadIcon: IconPath = { path: 'M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M5 20h14' };
export const uploadIcon: IconPath = { path: 'M12 16V5m0 0L7.5 9.5M12 5l4.5 4.5M5 20h14' };
export const shareIcon: IconPath = {
  path: 'M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7L12 17.7',
};
export const deleteIcon: IconPath = { path: 'M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5m4-5v5' };
export const fileIcon: IconPath = { path: 'M6 3h8l4 4v14H6zm8 0v4h4' };
export const laptopIcon: IconPath = { path: 'M5 5h14v10H5zM2.5 19h19' };
export const appIcon: IconPath = { path: 'M4 4h6v6H4zm10 0h6v6h-6zM4 14h6v6H4zm10 0h6v6h-6z' };
export const inboxIcon: IconPath = { path: 'M4 13 7 5h10l3 8v6H4zh5l1 3h4l1-3h5' };
export const searchIcon: IconPath = { path: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14m5 12 4.5 4.5' };
export const keyIcon: IconPath = { path: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8m3 1.5L20 4m-4 4 3 3' };
export const userIcon: IconPath = { path: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21c0-4 3.5-6 8-6s8 2 8 6' };
export const clockIcon: IconPath = { path: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 4v5l3 2' };
export const signOutIcon: IconPath = { path: 'M10 4H4v16h6m5-12 4 4-4 4m4-4H9', isDirectional: true };
export const shieldIcon: IconPath = { path: 'M12 3 4 6v6c0 5 3.5 8 8 9 4.5-1 8-4 8-9V6zm-3 9 2 2 4-4' };
