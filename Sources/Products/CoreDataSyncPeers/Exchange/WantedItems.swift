import Foundation

/// The items that one member was asked for. Few are on their way at once, so that what waits on both sides is bounded; those that do not
/// come are asked of others.
struct WantedItems {
    /// At most so many items are on their way from a member.
    static let count = 256
    /// At most so many bytes, or one item.
    static let bytes = 8 << 20
    /// Items beyond it come as files.
    static let messageSize = 1 << 20
    /// How long an item of a message may take; a large one takes more, by its size.
    static let patience = Duration.seconds(30)

    private struct Request {
        let size: Int
        let deadline: ContinuousClock.Instant
    }

    private var requests: [String: Request] = [:]
    /// What the member does not have, until it says of newer lists.
    private var absent: Set<String> = []

    var names: some Sequence<String> { requests.keys }

    mutating func isAnswered(_ name: String) { requests[name] = nil }

    mutating func isAbsent(_ name: String) { if requests.removeValue(forKey: name) != nil { absent.insert(name) } }

    mutating func isRenewed() { absent = [] }

    /// The names to ask for now, of those that are missing and not asked of anyone.
    ///
    /// - Parameter isThere: Whether a list that the member has named has the name.
    mutating func take(
        from missing: [String: Int], _ asked: inout Set<String>, where isThere: (String) -> Bool
    ) -> [String] {
        let now = ContinuousClock.now
        for (name, request) in requests where request.deadline < now {
            requests[name] = nil
            absent.insert(name)
            asked.remove(name)
        }
        var bytes = requests.values.reduce(0) { $0 + $1.size }
        var names: [String] = []
        for (name, size) in missing where !asked.contains(name) && !absent.contains(name) && isThere(name) {
            guard requests.count < Self.count, bytes == 0 || bytes + size <= Self.bytes else { break }
            let allowance = Duration.seconds(size >> 16)
            requests[name] = Request(size: size, deadline: now.advanced(by: Self.patience + allowance))
            asked.insert(name)
            names.append(name)
            bytes += size
        }
        return names
    }
}
