# Compiles PostgreSQL's server from Debian's unpacked source into OUT, with the options of the installed one. FLAGS
# replace Debian's flags. Left out are languages, translations, probes and tests. All that the server loads stays
# Debian's: its modules, with just-in-time compilation (llvmjit.so), and its data files. So do initdb and psql.
OPTIONS := /usr/lib/postgresql/15/bin/pg_config --configure

ifndef OUT
$(error Say where the program goes: make OUT=/a/directory CC=gcc FLAGS=-O3)
endif

$(OUT)/postgres:
	eval "set -- $$($(OPTIONS))"; for each; do shift; case $$each in \
		*FLAGS=*|LLVM_CONFIG=*|CLANG=*|--with-llvm|--with-tcl|--with-perl|--with-python|--with-libxslt|--with-selinux) ;; \
		--runstatedir=*|--with-uuid=*|--enable-nls|--enable-dtrace|--enable-debug|--enable-tap-tests) ;; \
		*) set -- "$$@" "$$each" ;; esac; done; \
		./configure "$$@" --without-readline CC='$(CC)' CFLAGS='$(FLAGS)' >configure.out
	$(MAKE) --no-print-directory --directory=src/backend generated-headers >headers.out
	$(MAKE) --no-print-directory --jobs="$$(nproc)" --directory=src/backend all >make.out
	cp src/backend/postgres $@
