"""Software on a host: packages, services kept from starting, our programs, the user that runs subjects."""
