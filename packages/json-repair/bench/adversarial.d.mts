export const adversarial: Record<string, (length: number) => string>;
