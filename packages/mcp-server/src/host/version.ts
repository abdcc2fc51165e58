declare const __VERSION__: string;

/** Of this package; the build writes it here. */
export const VERSION: string = __VERSION__;
