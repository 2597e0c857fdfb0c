#!/usr/bin/python3
"""tbench_srv, but it may send back what it did not get: tbench_server.py ADDRESS PORT HOW, where HOW is one of HOWS."""

import socketserver
import struct
import sys

HEAD = struct.Struct("!II")
HOWS = ("honest", "spoils", "shortens", "tires")
"""What is wrong with the answers: nothing, their last byte, their length, their last byte from the second client on."""


class Answers(socketserver.StreamRequestHandler):
    """One client's connection."""

    def handle(self) -> None:
        how = how_of(self.server)
        while len(head := self.rfile.read(HEAD.size)) == HEAD.size:
            follows, wanted = HEAD.unpack(head)
            content = self.rfile.read(follows - 4)
            answer = HEAD.pack(wanted, wanted) + content.ljust(wanted - 4, b"\0")[: wanted - 4]
            if how == "spoils" and content:
                answer = answer[:-1] + bytes([answer[-1] ^ 1])
            self.wfile.write(answer)
            if how == "shortens":
                return


class Server(socketserver.ThreadingTCPServer):
    """A server of tbench's messages; ``how`` says what is wrong with its answers."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, address: str, port: int, *, how: str) -> None:
        super().__init__((address, port), Answers)
        self.how = how
        self.clients = 0


def how_of(server: socketserver.BaseServer) -> str:
    """Return what is wrong with the answers to the next client of a server."""
    assert isinstance(server, Server)
    server.clients += 1
    if server.how == "tires":
        return "spoils" if server.clients > 1 else "honest"
    return server.how


if __name__ == "__main__":
    Server(sys.argv[1], int(sys.argv[2]), how=sys.argv[3]).serve_forever()
