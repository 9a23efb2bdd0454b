# One door. Plain `make` lists what there is; the work is in scripts/ and xtask/.

export ATALAYA_CACHE ?= $(HOME)/.cache/atalaya
export CARGO_TARGET_DIR = $(ATALAYA_CACHE)/target
export npm_config_cache = $(ATALAYA_CACHE)/npm

.PHONY: help run test test-long check build bench dev fmt lint gen livekit hooks
.DEFAULT_GOAL := help

help: ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

run: ## build what changed and start on http://localhost:8080 with demo data in ./data
	@scripts/run.sh

test: ## every check and test there is, as CI runs them
	@scripts/test.sh

test-long: ## what takes an hour or checks our checks: LiveKit, long soaks, long fuzzing
	@scripts/test.sh --long

check: ## fast: what your changes touch, and what depends on it
	@scripts/postgres.sh cargo xtask check

build: ## release build: one self-contained binary, target/release/atalaya
	@scripts/build.sh

bench: ## measurements of speed and memory; results go to docs/benchmarks.md by hand, with their command
	@scripts/bench.sh

dev: ## server on :8080 and the web app's dev server with hot reload on :5173
	@scripts/dev.sh

fmt: ## format Rust and web sources
	@cargo fmt --all
	@scripts/web.sh install && cd web && npm run --silent fmt

lint: ## formatting, layering, clippy, types; no tests
	@scripts/test.sh --lint

gen: ## write docs/reference/* and the generated TypeScript from the code
	@scripts/web.sh install && cargo xtask gen

livekit: ## build and cache the LiveKit server the engine's suite is compared with (needs Go)
	@scripts/livekit.sh

hooks: ## use the repository's git hooks (format check, commit message)
	@git config core.hooksPath .githooks && echo "hooks are on"
