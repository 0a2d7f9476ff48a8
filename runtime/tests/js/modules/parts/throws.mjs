throw new Error("thrown while loading");
