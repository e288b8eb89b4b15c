# Each target does its own set-up; `make` alone lists them.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
# How long one fuzz target runs, and what run, lint and bench are given besides (make lint ARGS=--fix).
FUZZTIME ?= 10s
ARGS ?=

golangci := .build/bin/golangci-lint

# Tests run in their packages' folders: what `make postgres` brought is named to them in full.
name_postgres = if [ -z "$${HUB_POSTGRES_BIN:-}" ] && [ -d .build/postgres/bin ]; then \
	export HUB_POSTGRES_BIN="$(CURDIR)/.build/postgres/bin"; fi

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build postgres ## build the hub and show it at work: with a simulated Jira, its agent and sample batches
	@exec bin/hub demo $(ARGS)

.PHONY: serve
serve: build postgres ## build the hub and run it, with a Postgres of its own unless HUB_DATABASE_URL is set
	@exec bin/hub serve $(ARGS)

.PHONY: build
build: go pages ## build bin/hub, with the pages where npm is there, bin/agent and bin/jirasim
	go build -trimpath -buildvcs=false -ldflags "-X main.version=$(VERSION)" -o bin/ ./cmd/hub ./cmd/agent ./cmd/jirasim

.PHONY: web
web: npm web/dist/built/graphiql.html.gz ## build the pages, which the next build of bin/hub has inside

# A hub without its pages works all the same, and says so to whoever looks at one.
.PHONY: pages
pages:
	@if lacks=$$(scripts/node); then $(MAKE) --no-print-directory web; \
	else echo "$$lacks: the hub is built without its pages"; fi

web/dist/built/graphiql.html.gz: web/node_modules/.package-lock.json $(shell find web/src -type f) $(wildcard web/*.html web/*.js web/*.json)
	cd web && npm run --silent build -- --logLevel warn

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: test
test: generate-check lint vet unit ## everything that must hold of a commit: generated code, lint, vet, tests with -race

.PHONY: unit
unit: race postgres web browser ## the Go tests, with the race detector
	@$(name_postgres); go test -race -count=1 -timeout 20m ./...

.PHONY: vet
vet: go ## go vet
	go vet ./...

.PHONY: lint
lint: go $(golangci) ## golangci-lint, as .golangci.yml has it
	$(golangci) run $(ARGS)

.PHONY: format
format: go $(golangci) ## lay the Go code out as the linter wants it
	$(golangci) fmt

$(golangci): tools/go.mod tools/go.sum
	@echo "Building golangci-lint, once: about two minutes on two cores"
	go build -C tools -trimpath -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: generate
generate: go ## make graph/ and client/generated.go anew from schema.graphqls
	go tool gqlgen generate
	go tool genqlient genqlient.yaml

# Compared with the tree as it is, not as it was committed, so that it serves in the middle of a change too.
.PHONY: generate-check
generate-check: go ## fail where graph/ or client/ is not what `make generate` makes
	@mkdir -p .build; before=$$(mktemp -d .build/generated.XXXXXX); trap 'rm -rf "$$before"' EXIT; \
	cp -R graph client "$$before"; \
	go tool gqlgen generate; \
	go tool genqlient genqlient.yaml; \
	for made in graph client; do diff -ru "$$before/$$made" $$made || { \
		echo "$$made/ was not what is generated of schema.graphqls; it is now: commit it" >&2; exit 1; }; done

.PHONY: bench
bench: go postgres ## measure the hub against its floors
	@$(name_postgres); go run ./bench $(ARGS)

.PHONY: fuzz
fuzz: go postgres ## run every fuzz target for FUZZTIME
	@$(name_postgres); for package in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' "$$package" | grep '^Fuzz' || true); do \
			go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) "$$package"; \
		done; \
	done

.PHONY: postgres
postgres: ## bring Postgres' server programs where there are none
	@scripts/postgres

.PHONY: browser
browser: ## bring the browser of the tests where there is none
	@scripts/browser

.PHONY: clean
clean: ## remove what was built; the data of a hub stays, and .build/postgres, which may be the only Postgres to read them
	rm -rf bin web/dist/built web/node_modules e2e/node_modules
	if [ -d .build ]; then find .build -mindepth 1 -maxdepth 1 ! -name postgres -exec rm -rf {} +; fi

.PHONY: go
go:
	@scripts/go

.PHONY: npm
npm:
	@lacks=$$(scripts/node) || { echo "$$lacks" >&2; exit 1; }

# The race detector is C. Without a compiler the tests could only run without it, which would not be the same test.
.PHONY: race
race: go
	@[ "$$(go env CGO_ENABLED)" = 1 ] && echo '#include <stdlib.h>' | $$(go env CC) -E - >/dev/null 2>&1 || { \
		echo "The tests run with the race detector, which needs a C compiler: install gcc and libc6-dev, or set CGO_ENABLED=1" >&2; exit 1; }
