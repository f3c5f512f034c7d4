import { loadDescriptions } from "../schema/descriptions.ts";
import type { TypeCatalog } from "../schema/type-catalog.ts";
import { groupVersionPath, type OpenApiV3Document, openApiDocument, openApiIndex } from "./openapi.ts";
import { encodeGnostic, openApiV2 } from "./openapi-v2.ts";
import type { ResourceIndex } from "./resource-index.ts";

/** The cluster's OpenAPI documents, each made when it is first asked for and kept until what is served changes. */
export class OpenApiDocuments {
  private readonly describe = loadDescriptions();
  private readonly made = new Map<string, unknown>();
  private madeFor: unknown;

  constructor(
    private readonly resources: ResourceIndex,
    private readonly types: TypeCatalog,
  ) {}

  /** `/openapi/v3` */
  index(): unknown {
    return this.once("index", () => openApiIndex(this.resources, this.types));
  }

  /** `/openapi/v3/apis/apps/v1`; undefined for what is not served. */
  document(path: string): OpenApiV3Document | undefined {
    return this.once(path, () => openApiDocument(path, this.resources, this.types, this.describe));
  }

  /** `/openapi/v2` as JSON. */
  v2(): ReturnType<typeof openApiV2> {
    return this.once("v2", () => {
      const paths = [...new Set(this.resources.list().map(groupVersionPath))];
      return openApiV2(paths.flatMap((path) => this.document(path) ?? []));
    });
  }

  /** `/openapi/v2` as gnostic's protobuf. */
  v2Protobuf(): Buffer {
    return this.once("v2-protobuf", () => encodeGnostic(this.v2()));
  }

  private once<T>(key: string, make: () => T): T {
    const generation = this.resources.generation;
    if (this.madeFor !== generation) {
      this.made.clear();
      this.madeFor = generation;
    }
    if (!this.made.has(key)) this.made.set(key, make());
    return this.made.get(key) as T;
  }
}
