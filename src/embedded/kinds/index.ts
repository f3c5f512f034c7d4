import type { KindStrategy } from "../registry/strategy.ts";

/** Every kind that needs more than its schema; a kind that is not here is served by schema and Table columns alone. */
export const strategies: readonly KindStrategy[] = [];
