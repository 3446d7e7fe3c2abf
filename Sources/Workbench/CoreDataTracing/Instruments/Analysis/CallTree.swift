import CoreData

/// The call paths into the library, from the outermost function inwards, with the number and total time of their
/// events.
///
/// The tree sums up only events that are not nested in another event, so that no time counts twice. A path ends with
/// the first function of the library that the program called; deeper functions of the library are left out.
package struct CallTree: Sendable {
    /// A function, as reached by one call path; it has one node for each path.
    package struct Node: Sendable {
        package let name: String
        package var count = 0
        package var time: UInt64 = 0
        package var children: [Int] = []
    }

    /// All nodes; the root is the first. `Node.children` has indices into this array.
    package private(set) var nodes = [Node(name: "all")]
    private var places: [[String: Int]] = [[:]]
    /// When the tree has this many nodes, the rest of a new call path is left out: a larger tree would be unreadable.
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

    /// Sorts the children of each node by their total time, the longest first.
    private mutating func sort() {
        let times = nodes.map(\.time)
        for index in nodes.indices {
            nodes[index].children.sort { times[$0] == times[$1] ? $0 < $1 : times[$0] > times[$1] }
        }
    }
}
