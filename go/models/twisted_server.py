"""Twisted: an object for each connection, whose methods the reactor calls."""
from twisted.internet import protocol, reactor
from twisted.protocols import basic, policies


class Upper(basic.LineReceiver, policies.TimeoutMixin):
    delimiter = b"\n"

    def connectionMade(self):
        self.setTimeout(30)

    def connectionLost(self, reason):
        self.setTimeout(None)

    def lineReceived(self, line):
        self.resetTimeout()
        self.sendLine(line.upper())


factory = protocol.Factory.forProtocol(Upper)
port = reactor.listenTCP(0, factory, backlog=1024, interface="127.0.0.1")
print(port.getHost().port, flush=True)
reactor.run()
