// What Vite adds to the environment of the app.
interface ImportMetaEnv {
  readonly VITE_GATEHOUSE_URL: string;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
