import CoreData

/// The parent of each event, and the order in which the events began.
///
/// Each thread writes an event when the event ends, so that its nested events precede it: one pass finds all parents.
struct TraceLinks {
    private(set) var parents: [Int32]
    private(set) var order: [Int32]

    init(_ records: [TraceRecord]) {
        parents = Array(repeating: -1, count: records.count)
        order = []
        order.reserveCapacity(records.count)
        var threads: [UInt32: Int] = [:]
        // The events of each thread that have no parent so far, by start.
        var open: [[Int32]] = []
        for (index, record) in records.enumerated() {
            let number = threads[record.thread] ?? open.count
            if number == open.count {
                threads[record.thread] = number
                open.append([])
            }
            while let last = open[number].last, records[Int(last)].start >= record.start,
                records[Int(last)].end <= record.end
            {
                parents[Int(last)] = Int32(index)
                open[number].removeLast()
            }
            open[number].append(Int32(index))
            // Assumes that the oldest of so many events have no parent, which bounds the memory.
            if open[number].count > 4_096 { open[number].removeFirst(2_048) }
            order.append(Int32(index))
        }
        order.sort { one, other in
            let (first, second) = (records[Int(one)], records[Int(other)])
            // If two events begin at once, the enclosing one, which is written later, comes first.
            return first.start == second.start ? one > other : first.start < second.start
        }
    }
}
