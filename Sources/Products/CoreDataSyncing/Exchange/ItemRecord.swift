import CoreDataSync

/// What a store knows of an item of its transport: one entry of the side table.
struct ItemRecord: Hashable {
    /// | state | what it means |
    /// |---|---|
    /// | `done` | the content was applied, or needs nothing |
    /// | `waiting` | its transactions wait for others |
    /// | `refused` | the content is of no use; it is read again if the file changes |
    /// | `unreadable` | the transport did not give it; it is read again in each exchange |
    /// | `own` | this peer wrote it |
    enum State: String {
        case done
        case waiting
        case refused
        case unreadable
        case own
    }

    var state: State
    var size: Int
    /// The item's stamp when it was read; empty for an item that was written and not yet listed.
    var stamp: String
    /// The transactions in it.
    var ranges: [PeerID: ClosedRange<UInt64>] = [:]
    /// The peer to which it is addressed, if it is for one peer only.
    var addressee: PeerID?

    var text: String {
        let parts = ranges.sorted { $0.key < $1.key }
            .map { "\($0.key):\($0.value.lowerBound)-\($0.value.upperBound)" }
        return [
            state.rawValue, String(size), stamp.isEmpty ? "-" : stamp, addressee?.description ?? "-",
            parts.joined(separator: ","),
        ].joined(separator: " ")
    }

    /// Reads what `text` gives; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, let state = State(rawValue: parts[0]), let size = Int(parts[1]) else { return nil }
        self.state = state
        self.size = size
        stamp = parts[2] == "-" ? "" : parts[2]
        addressee = PeerID(parts[3])
        for range in parts[4].split(separator: ",") {
            let ends = range.split(whereSeparator: { $0 == ":" || $0 == "-" })
            guard ends.count == 3, let peer = PeerID(String(ends[0])), let first = UInt64(ends[1]),
                let last = UInt64(ends[2]), first <= last
            else { return nil }
            ranges[peer] = first...last
        }
    }

    init(_ state: State, size: Int, stamp: String) {
        self.state = state
        self.size = size
        self.stamp = stamp
    }

    /// Whether the item's content is known as it is now.
    func isCurrent(_ item: SyncItem) -> Bool { size == item.size && (stamp == item.stamp || state == .own) }
}

/// Transactions by their authors: ranges that were merged, so that looking one up takes the logarithm of their count.
struct TransactionRanges {
    private var ranges: [PeerID: [ClosedRange<UInt64>]] = [:]

    /// - Parameter all: Ranges in any order.
    init(_ all: some Sequence<(PeerID, ClosedRange<UInt64>)>) {
        for (peer, range) in all { ranges[peer, default: []].append(range) }
        for (peer, list) in ranges {
            var merged: [ClosedRange<UInt64>] = []
            for range in list.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                if let last = merged.last, range.lowerBound <= last.upperBound &+ 1 {
                    merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
                } else {
                    merged.append(range)
                }
            }
            ranges[peer] = merged
        }
    }

    func contains(_ id: TransactionID) -> Bool {
        guard let list = ranges[id.author] else { return false }
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list[middle].upperBound < id.sequence { low = middle + 1 } else { high = middle }
        }
        return low < list.count && list[low].contains(id.sequence)
    }

    /// The transactions of an author in a range that are in none of the ranges, at most so many.
    func missing(_ author: PeerID, _ range: ClosedRange<UInt64>, atMost limit: Int) -> [TransactionID] {
        var missing: [TransactionID] = []
        var next = range.lowerBound
        for known in ranges[author] ?? [] where known.upperBound >= next {
            while next < known.lowerBound, next <= range.upperBound, missing.count < limit {
                missing.append(TransactionID(author, next))
                next += 1
            }
            next = max(next, known.upperBound &+ 1)
        }
        while next <= range.upperBound, missing.count < limit {
            missing.append(TransactionID(author, next))
            next += 1
        }
        return missing
    }
}
