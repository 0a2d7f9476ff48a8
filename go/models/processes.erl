%% Erlang: a process for each connection; one that fails is none of the others' business.
-module(processes).
-export([main/0]).

main() ->
    {ok, Server} = gen_tcp:listen(0, [binary, {packet, line}, {active, false}, {backlog, 1024},
                                      {ip, {127, 0, 0, 1}}, {nodelay, true}]),
    {ok, Port} = inet:port(Server),
    io:format("~p~n", [Port]),
    accept(Server).

accept(Server) ->
    {ok, Client} = gen_tcp:accept(Server),
    Pid = spawn(fun() -> receive go -> serve(Client) end end),
    ok = gen_tcp:controlling_process(Client, Pid),
    Pid ! go,
    accept(Server).

serve(Client) ->
    case gen_tcp:recv(Client, 0, 30000) of
        {ok, Line} ->
            ok = gen_tcp:send(Client, string:uppercase(Line)),
            serve(Client);
        {error, _} ->
            gen_tcp:close(Client)
    end.
