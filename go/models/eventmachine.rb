# EventMachine: the same in Ruby, a module for each connection.
require 'eventmachine'

module Upper
  include EventMachine::Protocols::LineText2

  def post_init
    self.comm_inactivity_timeout = 30
  end

  def receive_line(line)
    send_data("#{line.upcase}\n")
  end
end

EventMachine.run do
  server = EventMachine.start_server('127.0.0.1', 0, Upper)
  puts Socket.unpack_sockaddr_in(EventMachine.get_sockname(server)).first
  $stdout.flush
end
