import { startEmbeddedCluster } from "../cluster.ts";
import { serve } from "./serve.ts";

process.exit(await serve(process.argv.slice(2), startEmbeddedCluster));
