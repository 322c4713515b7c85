// Declares the modules that the bundler provides: style sheets and the list of countries.
declare module '*.css';

declare module 'gatehouse:countries' {
  /** `DE49 0 47;IT39  334;…`: country, calling code, the trunk prefix that is dropped in international format, and how the digits are grouped. */
  export const countries: string;
}
