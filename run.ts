console.error("k8s-practice is being built");
process.exit(2);
