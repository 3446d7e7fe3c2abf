/// The statements that a connection has prepared on the server, and their names.
///
/// A statement is prepared when it is used for the second time; the least recently used one is removed beyond `most`.
struct PreparedStatements {
    private static let most = 256
    private static let mostSeen = 1_024

    private var names: [String: String] = [:]
    private var uses: [String: Int] = [:]
    private var seen: Set<String> = []
    private var clock = 0
    private var lastNumber = 0

    /// The name of the prepared statement for a text; nil if it is not prepared.
    mutating func name(of sql: String) -> String? {
        guard let name = names[sql] else { return nil }
        clock += 1
        uses[sql] = clock
        return name
    }

    /// A name for preparing a text now; nil if this is the text's first use.
    mutating func nameForPreparing(_ sql: String) -> String? {
        guard seen.contains(sql) else {
            if seen.count == Self.mostSeen { seen = [] }
            seen.insert(sql)
            return nil
        }
        lastNumber += 1
        return "opencoredata_\(lastNumber)"
    }

    /// Notes that a text has been prepared; returns the name of a statement to deallocate in its place.
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
