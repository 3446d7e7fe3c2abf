import CoreData

/// Who called the library, from the outermost function inwards, with the time that each way took.
///
/// Only events that are part of no other count, so that no time counts twice. Functions of the library itself are left out
/// but for the first of them.
package struct CallTree: Sendable {
    /// A function, on one way that led to it.
    package struct Node: Sendable {
        package let name: String
        package var count = 0
        package var time: UInt64 = 0
        package var children: [Int] = []
    }

    /// The root first; children by their places.
    package private(set) var nodes = [Node(name: "all")]
    private var places: [[String: Int]] = [[:]]
    /// A program with many different ways would make a tree too large to read.
    private static let mostNodes = 50_000

    package init(_ trace: Trace, selection: [Int32], symbols: TraceSymbols) {
        var sums: [UInt32: (count: Int, time: UInt64)] = [:]
        for index in selection where trace.parents[Int(index)] < 0 {
            let record = trace.records[Int(index)]
            sums[record.stack, default: (0, 0)].count += 1
            sums[record.stack, default: (0, 0)].time &+= record.duration
        }
        for (stack, sum) in sums.sorted(by: { $0.key < $1.key }) {
            add(symbols.path(of: trace.stack(stack)), count: sum.count, time: sum.time)
        }
        sort()
    }

    private mutating func add(_ path: [String], count: Int, time: UInt64) {
        var place = 0
        nodes[0].count += count
        nodes[0].time &+= time
        for name in path {
            if let known = places[place][name] {
                place = known
            } else {
                guard nodes.count < Self.mostNodes else { return }
                let made = nodes.count
                nodes.append(Node(name: name))
                places.append([:])
                places[place][name] = made
                nodes[place].children.append(made)
                place = made
            }
            nodes[place].count += count
            nodes[place].time &+= time
        }
    }

    /// The longest way first.
    private mutating func sort() {
        let times = nodes.map(\.time)
        for index in nodes.indices {
            nodes[index].children.sort { times[$0] == times[$1] ? $0 < $1 : times[$0] > times[$1] }
        }
    }
}
