#!/bin/sh
# Every test, files side by side. The reporter prints the closing line.
exec node --test --test-concurrency=4 --test-reporter=./scripts/reporter.ts 'test/*.test.ts' 'packages/*/src/**/*.test.ts' 'packages/*/test/**/*.test.ts'
