throw new Error("boom")
