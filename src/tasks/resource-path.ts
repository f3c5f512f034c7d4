import type { KubeClient } from "../client/index.ts";
import { isNotFound } from "../client/index.ts";

export interface ResourcePath {
  /** `/api/v1`, `/apis/apps/v1` */
  base: string;
  plural: string;
  namespaced: boolean;
}

interface ApiResourceList {
  resources: { name: string; kind: string; namespaced: boolean }[];
}

/** Where the API server keeps objects of this kind, by its discovery; undefined when it knows none. */
export async function resourcePath(
  client: KubeClient,
  { apiVersion, kind }: { apiVersion: string; kind: string },
  signal: AbortSignal,
): Promise<ResourcePath | undefined> {
  const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  try {
    const { resources } = await client.call<ApiResourceList>({ path: base, signal });
    const found = resources.find((resource) => resource.kind === kind && !resource.name.includes("/"));
    return found && { base, plural: found.name, namespaced: found.namespaced };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
