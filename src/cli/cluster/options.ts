/** What `cluster` is given, whatever the action. */
export interface ClusterCommandOptions {
  action?: string;
  words?: string[];
  workers?: string;
  recreate?: boolean;
  yes?: boolean;
}
