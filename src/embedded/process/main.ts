console.error("not yet");
process.exit(2);
