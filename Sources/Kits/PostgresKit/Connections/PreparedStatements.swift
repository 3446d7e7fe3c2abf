/// Which texts a connection has prepared, by the names that it gave them.
///
/// A text is prepared when it comes for the second time, and forgotten when many others came since.
struct PreparedStatements {
    private static let most = 256
    private static let mostSeen = 1_024

    private var names: [String: String] = [:]
    private var uses: [String: Int] = [:]
    private var seen: Set<String> = []
    private var clock = 0
    private var lastNumber = 0

    /// The name under which a text is prepared; nil for one that is not.
    mutating func name(of sql: String) -> String? {
        guard let name = names[sql] else { return nil }
        clock += 1
        uses[sql] = clock
        return name
    }

    /// A name for a text that is to be prepared now; nil for one that has not come before.
    mutating func nameForPreparing(_ sql: String) -> String? {
        guard seen.contains(sql) else {
            if seen.count == Self.mostSeen { seen = [] }
            seen.insert(sql)
            return nil
        }
        lastNumber += 1
        return "opencoredata_\(lastNumber)"
    }

    /// Notes that a text has been prepared; gives the name that is not needed any more.
    mutating func note(_ name: String, _ sql: String) -> String? {
        seen.remove(sql)
        clock += 1
        names[sql] = name
        uses[sql] = clock
        guard names.count > Self.most, let oldest = uses.min(by: { $0.value < $1.value })?.key else { return nil }
        uses[oldest] = nil
        return names.removeValue(forKey: oldest)
    }

    mutating func forget(_ sql: String) {
        names[sql] = nil
        uses[sql] = nil
    }
}
