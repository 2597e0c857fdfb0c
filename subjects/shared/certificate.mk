# Makes a private key and a self-signed certificate for localhost in OUT. They are good for one host and ten years.
OPENSSL        = openssl
NEW_rsa-2048   = -newkey rsa:2048
NEW_ecdsa-p256 = -newkey ec -pkeyopt ec_paramgen_curve:P-256

ifndef OUT
$(error Say where the key goes: make OUT=/a/directory KEY=rsa-2048)
endif
ifndef NEW_$(KEY)
$(error KEY is rsa-2048 or ecdsa-p256)
endif

$(OUT)/certificate.pem:
	@mkdir -p $(@D)
	$(OPENSSL) req -x509 -nodes $(NEW_$(KEY)) -sha256 -days 3650 -subj /CN=localhost \
		-addext subjectAltName=DNS:localhost,IP:127.0.0.1 -addext basicConstraints=critical,CA:FALSE \
		-addext extendedKeyUsage=serverAuth -keyout $(OUT)/key.pem -out $@ 2>$(OUT)/openssl.log
