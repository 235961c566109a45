#!/bin/sh
# Every test; the last line counts them.
exec node scripts/test.ts
