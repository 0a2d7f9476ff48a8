'use strict';
// Entries of what the runtime itself measures.

const { PerformanceEntry, withDetail } = require('internal/performance/entry');

class PerformanceNodeEntry extends PerformanceEntry {}
withDetail(PerformanceNodeEntry);

module.exports = PerformanceNodeEntry;
