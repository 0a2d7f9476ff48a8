const show = (...values) => console.log(...values);
const bad = work => {
    try {
        show('fine', work());
    } catch (error) {
        show(error.name, error.code, error.message);
    }
};
const circular = {
    map: new Map([[{ a: 1 }, new Set([1, 'x'])]]),
    date: new Date(0),
    re: /a/gi,
    bytes: new Uint8Array([1, 2]),
    u: undefined,
    n: null,
    big: 5n,
    list: [1, , 3],
    nan: NaN,
    boxed: Object('s'),
};
circular.self = circular;
show(
    structuredClone(circular),
    structuredClone(new RangeError('r', { cause: 1 })).cause,
    structuredClone('x'),
    structuredClone(new DataView(new ArrayBuffer(2))),
);
bad(() => structuredClone(() => {}));
bad(() => structuredClone({ s: Symbol('s') }));
bad(() => structuredClone());
const moved = new ArrayBuffer(4);
show(structuredClone(moved, { transfer: [moved] }).byteLength, moved.byteLength);
class Point {
    constructor() {
        this.x = 1;
    }
    get y() {
        return 2;
    }
}
show(
    structuredClone(new Point()),
    Object.getPrototypeOf(structuredClone(new Point())) === Object.prototype,
);
const c = new AbortController();
c.signal.onabort = event => show('onabort', event.type, event.target === c.signal);
c.signal.addEventListener('abort', () => show('listener'), { once: true });
show(c.signal.aborted, c.signal.reason);
c.abort();
c.abort('again');
show(c.signal.aborted, c.signal.reason.name, c.signal.reason.code, c.signal.reason.message);
bad(() => c.signal.throwIfAborted());
show(AbortSignal.abort('why').reason, AbortSignal.any([AbortSignal.abort(1), c.signal]).reason);
AbortSignal.timeout(5).addEventListener('abort', event =>
    show('timeout', event.target.reason.name, event.target.reason.code),
);
setTimeout(() => {}, 30);
bad(() => new AbortSignal());
show(
    new TextEncoder().encode('aä€😀\ud800'),
    new TextEncoder().encodeInto('aä€', new Uint8Array(4)),
    new TextEncoder().encoding,
);
show(
    new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 97, 0xff])),
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf, 97]))
        .length,
    new TextDecoder('utf-16le').decode(new Uint8Array([97, 0, 0x3d, 0xd8, 0, 0xde])),
    new TextDecoder('latin1').encoding,
);
bad(() => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff])));
bad(() => new TextDecoder('nope'));
const streaming = new TextDecoder();
show(
    streaming.decode(new Uint8Array([0xe2, 0x82]), { stream: true }),
    streaming.decode(new Uint8Array([0xac]), { stream: true }),
    streaming.decode(),
);
const target = new EventTarget();
const listener = {
    handleEvent(event) {
        show('object', event.type, this === listener, event.defaultPrevented);
    },
};
target.addEventListener('x', listener);
target.addEventListener('x', event => {
    event.preventDefault();
    event.stopImmediatePropagation();
});
target.addEventListener('x', () => show('never'));
show(
    target.dispatchEvent(new Event('x', { cancelable: true })),
    new Event('e', { bubbles: true }).bubbles,
    new Event('e').timeStamp > 0,
);
show(
    new DOMException('m', 'AbortError').code,
    String(new DOMException('m')),
    DOMException.ABORT_ERR,
);
show(
    atob(' aGk = '),
    btoa('\u00ff'),
    typeof crypto.randomUUID(),
    crypto.getRandomValues(new Uint8Array(4)).length,
);
bad(() => atob('a'));
bad(() => btoa('€'));
show(
    typeof performance.now(),
    performance.timeOrigin > 1e12,
    Object.prototype.toString.call(globalThis),
    global === globalThis,
);
const {
    performance: p,
    monitorEventLoopDelay,
    PerformanceObserver,
    createHistogram,
} = require('perf_hooks');
const used = p.eventLoopUtilization();
show(Object.keys(used), p.eventLoopUtilization(used).utilization >= 0);
const delay = monitorEventLoopDelay({ resolution: 5 });
show(delay.enable(), delay.enable());
p.mark('a');
show(
    p.measure('m', 'a').name,
    p.getEntriesByName('a').length,
    p.getEntriesByType('measure').length,
);
const wait = setInterval(() => {
    if (delay.count === 0) return;
    clearInterval(wait);
    show(
        delay.min > 0,
        delay.max >= delay.min,
        delay.percentile(50) > 0,
        delay.disable(),
        delay.disable(),
    );
}, 40);
const histogram = createHistogram();
histogram.record(5);
histogram.record(15);
show(histogram.count, histogram.min, histogram.max, histogram.mean, typeof histogram.stddev);
