import CoreData

/// A range of time, divided into equal buckets that sum up the events, so that a chart needs one bucket for a column.
package struct TraceTimeline: Sendable {
    package static let mostBuckets = 4_000

    /// The number of events of each kind that began in one part of the range, and their time in this part.
    package struct Bucket: Sendable, Equatable {
        package var counts = [Int](repeating: 0, count: InstrumentEvent.Kind.allCases.count)
        /// Nanoseconds of events of each kind that lie in the part.
        package var times = [UInt64](repeating: 0, count: InstrumentEvent.Kind.allCases.count)
    }

    /// Nanoseconds since the first event.
    package let from: UInt64
    package let to: UInt64
    package let buckets: [Bucket]

    /// Sums up the selected events from `from` to `to`; the range is the complete trace if both are nil.
    package init(_ trace: Trace, _ selection: [Int32], from: UInt64? = nil, to: UInt64? = nil, count: Int) {
        let begin = trace.begin
        let length = max(trace.end - begin, 1)
        let first = min(from ?? 0, length - 1)
        let last = max(min(to ?? length, length), first + 1)
        let count = min(max(count, 1), Self.mostBuckets)
        var buckets = [Bucket](repeating: Bucket(), count: count)
        let width = Double(last - first) / Double(count)
        for index in selection {
            let record = trace.records[Int(index)]
            guard record.start >= begin, record.kind > 0, Int(record.kind) <= InstrumentEvent.Kind.allCases.count else {
                continue
            }
            let kind = Int(record.kind) - 1
            let start = record.start - begin
            let end = min(record.end - begin, last)
            guard start < last, end >= first else { continue }
            let bucket = min(Int(Double(max(start, first) - first) / width), count - 1)
            if start >= first { buckets[bucket].counts[kind] += 1 }
            let final = min(Int(Double(end - first) / width), count - 1)
            for place in bucket...max(bucket, final) {
                let low = max(Double(start), Double(first) + Double(place) * width)
                let high = min(Double(end), Double(first) + Double(place + 1) * width)
                if high > low { buckets[place].times[kind] &+= UInt64(high - low) }
            }
        }
        (self.from, self.to, self.buckets) = (first, last, buckets)
    }
}
