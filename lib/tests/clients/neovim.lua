-- Neovim at work: editing, jobs, timers, its embedded luv, and a second neovim over RPC.
local uv = vim.loop
local out = {}
local function say(...)
    out[#out + 1] = table.concat(vim.tbl_map(tostring, { ... }), ' ')
end

local maps = io.open('/proc/self/maps'):read('*a')
local library = io.open(os.getenv('CLIENT_LIBRARY'), 'w')
library:write(maps:match('(/%S*libuv%.so%S*)'))
library:close()

local folder = vim.fn.tempname()
vim.fn.mkdir(folder, 'p')
local file = folder .. '/text'
vim.fn.writefile({ 'one', 'two', 'three' }, file)
vim.cmd('silent edit ' .. file)
vim.cmd('silent %s/o/0/g')
vim.cmd('normal ggOfirst')
vim.cmd('silent write')
say('file', table.concat(vim.fn.readfile(file), ','))

local lines, code = {}, nil
local job = vim.fn.jobstart({ 'sh', '-c', 'while read x; do echo "got $x"; done; exit 3' }, {
    on_stdout = function(_, data)
        for _, line in ipairs(data) do
            if line ~= '' then lines[#lines + 1] = line end
        end
    end,
    on_exit = function(_, status) code = status end,
})
for i = 1, 50 do vim.fn.chansend(job, 'line ' .. i .. '\n') end
vim.fn.chanclose(job, 'stdin')
say('job', vim.wait(10000, function() return code ~= nil end, 5), code)
vim.wait(10000, function() return #lines == 50 end, 5)
say('lines', #lines, lines[1], lines[50])

local killed
local sleeper = vim.fn.jobstart({ 'sleep', '100' }, { on_exit = function(_, s) killed = s end })
vim.fn.jobstop(sleeper)
vim.wait(10000, function() return killed ~= nil end, 5)
say('stopped', killed)
say('pty', (vim.fn.system('echo hello; exit 4'):gsub('\n', '')), vim.v.shell_error)

-- A terminal and other jobs at once; neovim waits for its terminals' children itself.
local ended, text = {}, {}
local function follow(name)
    return {
        on_exit = function(_, status) ended[name] = (ended[name] or '') .. status end,
        on_stdout = function(_, data) text[name] = (text[name] or '') .. table.concat(data) end,
    }
end
for i = 1, 4 do
    vim.cmd('enew')
    vim.fn.termopen({ 'sh', '-c', 'echo terminal ' .. i .. '; exit ' .. i }, follow('terminal' .. i))
    vim.fn.jobstart({ 'sh', '-c', 'echo job ' .. i .. '; exit ' .. 10 + i }, follow('job' .. i))
end
vim.wait(20000, function() return vim.tbl_count(ended) == 8 end, 5)
vim.wait(200)
for i = 1, 4 do
    say('together', ended['terminal' .. i], ended['job' .. i], text['job' .. i],
        (text['terminal' .. i] or ''):match('terminal %d'))
end

local ticks = 0
vim.fn.timer_start(5, function() ticks = ticks + 1 end, { ['repeat'] = 4 })
vim.wait(10000, function() return ticks == 4 end, 2)
say('timer', ticks)

local child = vim.fn.jobstart({ vim.v.progpath, '--embed', '--headless', '-u', 'NONE' }, { rpc = true })
say('rpc', vim.rpcrequest(child, 'nvim_eval', '6 * 7'))
vim.rpcrequest(child, 'nvim_buf_set_lines', 0, 0, -1, true, { 'from', 'afar' })
say('rpc', table.concat(vim.rpcrequest(child, 'nvim_buf_get_lines', 0, 0, -1, true), ' '))
vim.fn.jobstop(child)

local changed
local watcher = uv.new_fs_event()
watcher:start(folder, {}, function(_, name) changed = name end)
vim.fn.writefile({ 'x' }, folder .. '/watched')
vim.wait(10000, function() return changed ~= nil end, 2)
watcher:close()
say('watched', changed)

local got = ''
local server = uv.new_tcp()
server:bind('127.0.0.1', 0)
server:listen(8, function()
    local peer = uv.new_tcp()
    server:accept(peer)
    peer:read_start(function(_, data)
        if data then peer:write('echo ' .. data) else peer:close() end
    end)
end)
local client = uv.new_tcp()
client:connect('127.0.0.1', server:getsockname().port, function()
    client:write('hello')
    client:read_start(function(_, data) got = got .. (data or '') end)
end)
vim.wait(10000, function() return got == 'echo hello' end, 2)
client:close()
server:close()
say('tcp', got)

vim.fn.delete(folder, 'rf')
io.stdout:write(table.concat(out, '\n') .. '\n')
vim.cmd('qa!')
