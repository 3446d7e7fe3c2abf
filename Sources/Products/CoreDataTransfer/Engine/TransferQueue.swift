/// The transfers that wait for their turn: of the hosts with room, the one whose first transfer has the highest priority and
/// has waited longest comes next.
struct TransferQueue {
    private struct Host {
        var running = 0
        /// A line for each priority, of which what lies before `next` has gone.
        var lines = [[(number: UInt64, transfer: Transfer?)]](repeating: [], count: TransferPriority.allCases.count)
        var next = [Int](repeating: 0, count: TransferPriority.allCases.count)

        var isEmpty: Bool { lines.allSatisfy(\.isEmpty) }

        /// The priority and number of the transfer that is next.
        var first: (priority: Int, number: UInt64)? {
            for priority in lines.indices.reversed() where next[priority] < lines[priority].count {
                return (priority, lines[priority][next[priority]].number)
            }
            return nil
        }

        mutating func removeFirst(_ priority: Int) -> Transfer? {
            let transfer = lines[priority][next[priority]].transfer.take()
            next[priority] += 1
            if next[priority] == lines[priority].count || next[priority] > 1_024 {
                lines[priority].removeFirst(next[priority])
                next[priority] = 0
            }
            return transfer
        }
    }

    private let greatest: Int
    private let greatestPerHost: Int
    private var hosts: [String: Host] = [:]
    private var running = 0
    private var numbers: UInt64 = 0

    init(greatest: Int, greatestPerHost: Int) {
        (self.greatest, self.greatestPerHost) = (max(1, greatest), max(1, greatestPerHost))
    }

    mutating func append(_ transfer: Transfer) {
        numbers += 1
        hosts[transfer.hostKey, default: Host()].lines[transfer.options.priority.rawValue].append((numbers, transfer))
    }

    /// Takes the transfer that may begin now; nil if none may.
    mutating func next() -> Transfer? {
        guard running < greatest else { return nil }
        var best: (host: String, priority: Int, number: UInt64)?
        for (name, host) in hosts where host.running < greatestPerHost {
            guard let first = host.first else { continue }
            if let best, (best.priority, first.number) > (first.priority, best.number) { continue }
            best = (name, first.priority, first.number)
        }
        guard let best else { return nil }
        running += 1
        hosts[best.host]?.running += 1
        return hosts[best.host]?.removeFirst(best.priority)
    }

    /// A transfer that was taken for a host has ended there.
    mutating func end(_ host: String) {
        running -= 1
        hosts[host]?.running -= 1
        if let known = hosts[host], known.running == 0, known.isEmpty { hosts[host] = nil }
    }

    /// Takes all that wait.
    mutating func removeAll() -> [Transfer] {
        let all = hosts.values.flatMap { host in host.lines.indices.flatMap { host.lines[$0][host.next[$0]...] } }
        hosts = hosts.mapValues { host in
            var empty = Host()
            empty.running = host.running
            return empty
        }
        return all.compactMap(\.transfer)
    }
}
