// Declares the modules that the bundler provides: style sheets and the list of countries.
declare module '*.css';

declare module 'gatehouse:countries' {
  /** `DE49 0;IT39;…`: country, calling code and, after a space, the trunk prefix that is dropped in international format. */
  export const countries: string;
}
