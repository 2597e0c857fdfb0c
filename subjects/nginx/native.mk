# Compiles nginx from Debian's unpacked source into OUT, with the options that the installed nginx prints. FLAGS replace
# Debian's flags, and modules in files of their own are left out: no configuration here loads one.
ASKED := nginx -V 2>&1 | sed -n 's/^configure arguments: //p'
LEAVE := s/--with-(cc|ld)-opt='[^']*'//g; s/--[a-z_-]+=dynamic//g; s/--add(-dynamic)?-module=[^ ]*//g

ifndef OUT
$(error Say where the program goes: make OUT=/a/directory CC=gcc FLAGS=-O3)
endif

$(OUT)/nginx:
	./configure $$($(ASKED) | sed -E "$(LEAVE)") --with-cc='$(CC)' --with-cc-opt='$(FLAGS)' --builddir=made >configure.log
	$(MAKE) --no-print-directory --jobs="$$(nproc)" --file=made/Makefile binary >make.log
	cp made/nginx $@
