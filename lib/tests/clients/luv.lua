-- luv at work: timers, files, TCP, pipes, children, the pool.
local uv = require('luv')

local library = io.open(os.getenv('CLIENT_LIBRARY'), 'w')
library:write(io.open('/proc/self/maps'):read('*a'):match('(/%S*libuv%.so%S*)'))
library:close()

local order = {}
for _, delay in ipairs({ 30, 10, 20 }) do
    local timer = uv.new_timer()
    timer:start(delay, 0, function()
        order[#order + 1] = delay
        timer:close()
    end)
end
uv.run()
print('timers', table.concat(order, ' '))

local folder = uv.fs_mkdtemp(os.getenv('TMPDIR') .. '/phasor-luv-XXXXXX')
for i = 1, 20 do
    uv.fs_open(folder .. '/f' .. i, 'w', 420, function(_, fd)
        uv.fs_write(fd, ('x'):rep(i * 100), 0, function()
            uv.fs_close(fd, function() end)
        end)
    end)
end
uv.run()
local names, bytes = {}, 0
local request = uv.fs_scandir(folder)
while true do
    local name, kind = uv.fs_scandir_next(request)
    if not name then break end
    names[#names + 1] = name .. ':' .. kind
    bytes = bytes + uv.fs_stat(folder .. '/' .. name).size
end
table.sort(names)
print('files', #names, names[1], bytes)
for i = 1, 20 do uv.fs_unlink(folder .. '/f' .. i) end
print('removed', uv.fs_rmdir(folder), select(3, uv.fs_stat(folder)))

local server = uv.new_tcp()
server:bind('127.0.0.1', 0)
server:listen(128, function(err)
    assert(not err, err)
    local peer = uv.new_tcp()
    server:accept(peer)
    peer:read_start(function(_, data)
        if data then peer:write(data:upper()) else peer:shutdown(function() peer:close() end) end
    end)
end)
local finished, total = 0, 0
for i = 1, 30 do
    local client = uv.new_tcp()
    client:connect('127.0.0.1', server:getsockname().port, function(err)
        assert(not err, err)
        client:read_start(function(_, data)
            if data then
                total = total + #data
                return
            end
            client:close()
            finished = finished + 1
            if finished == 30 then server:close() end
        end)
        client:write(('abc'):rep(i * 1000))
        client:shutdown()
    end)
end
uv.run()
print('tcp', finished, total)

local function run(program, arguments, input)
    local stdin, stdout = uv.new_pipe(false), uv.new_pipe(false)
    local result, text = nil, {}
    local process
    process = uv.spawn(program, { args = arguments, stdio = { stdin, stdout, 2 } },
        function(code, sig)
            result = code .. '/' .. sig
            process:close()
        end)
    if not process then return 'not started' end
    stdout:read_start(function(_, data)
        if data then text[#text + 1] = data else stdout:close() end
    end)
    if input then stdin:write(input) end
    stdin:shutdown(function() stdin:close() end)
    uv.run()
    return result, #table.concat(text)
end
print('cat', run('cat', {}, ('y'):rep(200000)))
print('exit', run('sh', { '-c', 'exit 9' }))
print('killed', run('sh', { '-c', 'kill -TERM $$' }))

local sum = 0
local work = uv.new_work(function(n) return n * n end, function(n) sum = sum + n end)
for i = 1, 50 do work:queue(i) end
uv.run()
print('pool', sum)

local waker, woken = nil, 0
waker = uv.new_async(function()
    woken = woken + 1
    waker:close()
end)
waker:send()
uv.run()
print('async', woken, 'alive', uv.loop_alive())
