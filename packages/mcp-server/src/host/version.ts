declare const __VERSION__: string;
declare const __REPOSITORY__: string;

/** Of this package; the build writes it here. */
export const VERSION: string = __VERSION__;

/** Where its sources and its documentation are: an address without a slash at its end. The build writes it here. */
export const REPOSITORY: string = __REPOSITORY__;
