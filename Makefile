# The two commands of this project are `make run` and `make test`. Both install what is missing,
# ask nothing and can be repeated.

PORT ?= 8787
DATA ?= data
SEEDS ?= 20000

.PHONY: run build test test-swift test-web test-protocol test-browser lint load measure simulate torture sanitize clean

server = .build/release/homeboard

# Builds the release server, and serves. The first start makes a board named home.
run: build
	@exec $(server) serve --port $(PORT) --data $(DATA) --create-board home

build: $(server)

# Asked of make, not of the package manager, which takes seconds to find that nothing changed.
$(server): Package.swift $(shell find Sources -type f)
	@scripts/bootstrap run
	@swift build -c release --product homeboard
	@touch $@

test: test-swift test-web test-protocol test-browser

test-swift:
	@scripts/bootstrap test
	swift build --build-tests
	swift test --skip-build

# The web client's modules, against the real model.
test-web: test-swift
	node --test Tests/BrowserTests/*.test.mjs

# A client that shares no code with the server, over real sockets.
test-protocol: build
	@scripts/bootstrap test
	.venv/bin/python -m pytest -q Tests/ProtocolTests

# Two and three pages at once in a real browser.
test-browser: build
	@scripts/bootstrap test
	.venv/bin/python -m pytest -q Tests/PageTests

lint:
	@scripts/bootstrap test
	swift format lint --strict -r Sources Tests Package.swift
	tsc --project .

# 50 clients on one board, 10 dragging at 60 Hz for a minute: prints figures.
load: build
	@scripts/bootstrap test
	.venv/bin/python Tests/ProtocolTests/load.py

# Whole boards in a hostile world, 20,000 seeds: prints what happened, ends with 1 at a failure.
simulate:
	@scripts/bootstrap run
	swift build -c release --product homeboard-sim
	.build/release/homeboard-sim --seeds $(SEEDS)

# kill -9 and errors at every system call that touches the data, cuts of power, a crowd's return after
# a restart, a start with 10,000 boards: prints figures, takes some ten minutes.
torture: build
	@scripts/bootstrap test
	.venv/bin/python Tests/ProtocolTests/torture.py

# The Swift tests under AddressSanitizer, then ThreadSanitizer. What is to live as long as the process
# is not freed at its end, so leaks are not looked for.
sanitize:
	@scripts/bootstrap test
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build/address
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Support/thread-sanitizer.txt \
	    swift test --sanitize=thread --scratch-path .build/thread

# A page of 500 icons while ten people drag: prints figures.
measure: build
	@scripts/bootstrap test
	.venv/bin/python Tests/PageTests/measure.py

clean:
	swift package clean
