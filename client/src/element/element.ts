// The entry `@gatehouse/client/element`: registers <gatehouse-sign-in>.
import type { SignInFault } from './scene.ts';
import { defineSignIn, GatehouseSignIn, type SignInEvents } from './sign-in-element.ts';

defineSignIn();

export type { SignInEvents, SignInFault };
export { GatehouseSignIn };
