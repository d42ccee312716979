# The two commands are `make run` and `make test`; `make help` lists the rest.

MODE ?= release
BUILD := build/$(MODE)

WARNINGS := -Wall -Wextra -Wpedantic -Werror -Wshadow -Wformat=2 -Wvla -Wundef \
    -Wwrite-strings -Wcast-qual -Wstrict-prototypes -Wmissing-prototypes \
    -Wold-style-definition -Wconversion -Wno-sign-conversion -Wnull-dereference -Wno-missing-field-initializers
HARDENED := -O2 -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection \
    -fcf-protection -fPIE
HARDENED_LINK := -pie -Wl,-z,relro,-z,now
LIBRARIES := -lmicrohttpd -lpq -ljansson -lsodium -lutf8proc -lmd4c \
    -lbrotlienc -lbrotlicommon -lcurl -lxlsxwriter -lzip -lz -lm -pthread

ifeq ($(MODE),asan)
CC := clang
MODE_FLAGS := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined \
    -fno-sanitize-recover=undefined -DLABD_CHECKED_ARENA
else ifeq ($(MODE),release)
CC := gcc
WARNINGS += -Wduplicated-cond -Wlogical-op -Wjump-misses-init
MODE_FLAGS := $(HARDENED)
LINK_FLAGS := $(HARDENED_LINK)
else ifeq ($(MODE),fuzz)
CC := clang
MODE_FLAGS := -O1 -fsanitize=address,undefined,fuzzer-no-link -DLABD_CHECKED_ARENA
else
$(error MODE is release, asan or fuzz)
endif

CFLAGS = -std=c17 -D_GNU_SOURCE -g $(WARNINGS) $(MODE_FLAGS) -I. -Ibuild/generated \
    -I/usr/include/postgresql -MMD -MP

PROGRAM := $(wildcard server/*.c server/*/*.c db/*.c db/store/*.c)
SQL := $(wildcard db/store/*.sql)
TESTS := $(wildcard tests/unit/*.c tests/store/*.c tests/support/*.c)
GENERATED := build/generated/tables.h build/generated/all_queries.c \
    $(SQL:%.sql=build/generated/%.sql.h) $(SQL:%.sql=build/generated/%.sql.c)
GENERATED_C := build/generated/all_queries.c $(SQL:%.sql=build/generated/%.sql.c)

PROGRAM_OBJECTS := $(PROGRAM:%.c=$(BUILD)/%.o) \
    $(GENERATED_C:build/generated/%.c=$(BUILD)/generated/%.o)
LIBRARY_OBJECTS := $(filter-out $(BUILD)/server/main.o,$(PROGRAM_OBJECTS))
TEST_OBJECTS := $(TESTS:%.c=$(BUILD)/%.o)

.DELETE_ON_ERROR:
.PRECIOUS: build/generated/%.sql.h build/generated/%.sql.c
.PHONY: all run test unit js agreement lint tidy format layers bench fuzz packages clean help

all: build/labd

help:
	@echo 'make run      build, start a private database, serve http://127.0.0.1:8080/'
	@echo 'make test     every test, with sanitizers, on a throw-away database'
	@echo 'make unit     the C tests alone; FILTER=module/test some of them'
	@echo 'make js       the JavaScript tests alone; FILES=path some of them'
	@echo 'make agreement compare what we read with what others read; SUITE=name one of them'
	@echo 'make lint     format, layers, warnings, clang-tidy, cppcheck, SQL'
	@echo 'make fuzz     fuzz what members send in; SECONDS=600 for each of five targets'
	@echo 'make bench    measure against nginx, pgbench and mustache.js'
	@echo 'make format   clang-format in place'
	@echo 'make layers   which folder may include which (part of lint)'
	@echo 'make clean    remove build/'
	@echo
	@echo 'Behind run: PORT=8080 VAR=var ADMIN=admin@lab.example. INSTALL=no lists missing'
	@echo 'packages and installs none. make MODE=asan build/asan/labd: with sanitizers.'

run:
	@deploy/packages run
	@$(MAKE) --no-print-directory -j$$(nproc) build/labd
	@PORT='$(PORT)' VAR='$(VAR)' ADMIN='$(ADMIN)' deploy/run

test:
	@deploy/packages test
	@$(MAKE) --no-print-directory -j$$(nproc) MODE=asan build/asan/labd build/asan/run-tests
	@tests/run

unit:
	@$(MAKE) --no-print-directory -j$$(nproc) MODE=asan build/asan/run-tests
	@tests/run unit $(if $(FILTER),--filter '$(FILTER)')

js:
	@$(MAKE) --no-print-directory -j$$(nproc) MODE=asan build/asan/labd build/asan/run-tests
	@tests/run js $(FILES)

agreement:
	@$(MAKE) --no-print-directory -j$$(nproc) build/labd
	@tests/agreement/run $(if $(SUITE),'$(SUITE)')

lint:
	@deploy/packages lint
	@tests/lint

bench:
	@deploy/packages bench
	@$(MAKE) --no-print-directory -j$$(nproc) build/labd
	@tests/bench/run

FUZZERS := bibtex latex ris csl names
SECONDS ?= 60
fuzz:
	@deploy/packages test
	@$(MAKE) --no-print-directory -j$$(nproc) MODE=fuzz $(FUZZERS:%=build/fuzz/%)
	@tests/fuzz/run $(SECONDS) $(FUZZERS)

packages:
	@deploy/packages all

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

layers:
	@tests/layers

clean:
	rm -rf build

# The program and the test runner.
build/labd: build/release/labd
	@ln -sf release/labd $@

$(BUILD)/labd: $(PROGRAM_OBJECTS) $(BUILD)/flags | $(BUILD)/labd-photo
	@echo "  link $@"
	@$(CC) $(MODE_FLAGS) $(LINK_FLAGS) -o $@ $(PROGRAM_OBJECTS) $(LIBRARIES)

# The program that labd starts for each uploaded photo, beside it. In every mode as it is
# released: its limit of memory leaves no room for sanitizers.
VIPS_FLAGS = $(patsubst -I%,-isystem %,$(shell pkg-config --cflags-only-I vips))
$(BUILD)/labd-photo: server/media/child/photo.c $(BUILD)/flags
	@echo "  $(MODE) $<"
	@gcc -std=c17 -D_GNU_SOURCE -g $(WARNINGS) $(HARDENED) $(VIPS_FLAGS) $(HARDENED_LINK) \
	    -o $@ $< $(shell pkg-config --libs vips)

$(BUILD)/run-tests: $(LIBRARY_OBJECTS) $(TEST_OBJECTS) $(BUILD)/flags | $(BUILD)/labd-photo
	@echo "  link $@"
	@$(CC) $(MODE_FLAGS) $(LINK_FLAGS) -o $@ $(LIBRARY_OBJECTS) $(TEST_OBJECTS) \
	    -lcriterion $(LIBRARIES)

# make MODE=fuzz build/fuzz/bibtex makes tests/fuzz/bibtex.c a libFuzzer program.
$(BUILD)/%: tests/fuzz/%.c $(LIBRARY_OBJECTS)
	@echo "  link $@"
	@$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $< $(LIBRARY_OBJECTS) $(LIBRARIES)

# A small program of tests/bench.
build/bench/%: tests/bench/%.c $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LINK_FLAGS) -o $@ $< $(LIBRARY_OBJECTS) $(LIBRARIES)

# A small program of tests/agreement.
build/agreement/%: tests/agreement/%.c $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LINK_FLAGS) -o $@ $< $(LIBRARY_OBJECTS) $(LIBRARIES)

# clang-tidy of each file whose object is newer than its last look: the object knows the
# headers. One process a file: clang-tidy 14 calls va_lists of a second one uninitialised.
tidy: $(PROGRAM:%.c=build/lint/%.tidy) build/lint/server/media/child/photo.tidy
build/lint/%.tidy: build/release/%.o .clang-tidy
	@mkdir -p $(@D)
	@clang-tidy --quiet $*.c -- -std=c17 -D_GNU_SOURCE -Wall -Wextra -I. \
	    -Ibuild/generated -I/usr/include/postgresql 2>/dev/null
	@touch $@

build/lint/server/media/child/photo.tidy: build/release/labd-photo .clang-tidy
	@mkdir -p $(@D)
	@clang-tidy --quiet server/media/child/photo.c -- -std=c17 -D_GNU_SOURCE -Wall -Wextra \
	    $(VIPS_FLAGS) 2>/dev/null
	@touch $@

# Everything is built again when the compiler or its flags change.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(CFLAGS)' | cmp -s - $@ || echo '$(CC) $(CFLAGS)' > $@
FORCE:

$(BUILD)/%.o: %.c $(BUILD)/flags | $(GENERATED)
	@mkdir -p $(@D)
	@echo "  $(MODE) $<"
	@$(CC) $(CFLAGS) -c -o $@ $<

$(BUILD)/generated/%.o: build/generated/%.c $(BUILD)/flags | $(GENERATED)
	@mkdir -p $(@D)
	@echo "  $(MODE) $<"
	@$(CC) $(CFLAGS) -c -o $@ $<

build/generated/%.sql.h: %.sql db/sql.awk
	@mkdir -p $(@D)
	@awk -v out=header -f db/sql.awk $< > $@

build/generated/%.sql.c: %.sql db/sql.awk
	@mkdir -p $(@D)
	@awk -v out=source -f db/sql.awk $< > $@

# A block file that went away is missed by its timestamp alone.
build/generated/sql-files: FORCE
	@mkdir -p $(@D)
	@echo '$(SQL)' | cmp -s - $@ || echo '$(SQL)' > $@

# Kept as it is when unchanged, so that a new query does not rebuild the house.
build/generated/tables.h: $(SQL) db/sql.awk build/generated/sql-files
	@mkdir -p $(@D)
	@awk -v out=tables -f db/sql.awk $(SQL) /dev/null > $@.new
	@cmp -s $@.new $@ && rm $@.new && touch $@ || mv $@.new $@

build/generated/all_queries.c: $(SQL) db/sql.awk build/generated/sql-files
	@mkdir -p $(@D)
	@awk -v out=index -f db/sql.awk $(SQL) /dev/null > $@

-include $(PROGRAM_OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d)
