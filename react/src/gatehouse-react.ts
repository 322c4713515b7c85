// The entry point of the package: the provider, the hooks and the components.
import { GatehouseProvider, type GatehouseProviderProps } from './gatehouse-provider.tsx';
import { Protected, type ProtectedProps } from './protected.tsx';
import type { SignInStatus, User } from './session.ts';
import { SignIn, type SignInProps } from './sign-in.tsx';
import { type GatehouseState, useGatehouse } from './use-gatehouse.ts';
import { type Upload, type UploadStatus, useUpload } from './use-upload.ts';

export type {
  GatehouseProviderProps,
  GatehouseState,
  ProtectedProps,
  SignInProps,
  SignInStatus,
  Upload,
  UploadStatus,
  User,
};
export { GatehouseProvider, Protected, SignIn, useGatehouse, useUpload };
