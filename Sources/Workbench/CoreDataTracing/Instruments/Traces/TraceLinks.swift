import CoreData

/// Which event is part of which, and the order in which they began.
///
/// Each thread writes an event when it is over, so that its nested events precede it: one pass suffices.
struct TraceLinks {
    private(set) var parents: [Int32]
    private(set) var order: [Int32]

    init(_ records: [TraceRecord]) {
        parents = Array(repeating: -1, count: records.count)
        order = []
        order.reserveCapacity(records.count)
        var threads: [UInt32: Int] = [:]
        // The events of each thread that are part of none so far, by the times of their beginnings.
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
            // What was over long ago is part of nothing that comes.
            if open[number].count > 4_096 { open[number].removeFirst(2_048) }
            order.append(Int32(index))
        }
        order.sort { one, other in
            let (first, second) = (records[Int(one)], records[Int(other)])
            // What encloses another comes before it though both may begin at once.
            return first.start == second.start ? one > other : first.start < second.start
        }
    }
}
