export function startPages(): Promise<{ env: Record<string, string>; close(): Promise<void> }>;
