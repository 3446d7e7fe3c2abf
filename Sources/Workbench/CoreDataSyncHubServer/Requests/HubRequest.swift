import CoreDataSyncHub

/// What a client asks a hub for.
///
/// | request | answer |
/// |---|---|
/// | `GET /GROUP` | the list of all items |
/// | `GET /GROUP?since=CURSOR` | what has changed since then; all if that is not known |
/// | `GET /GROUP?since=CURSOR&wait=SECONDS` | the same, as soon as there is something, or when the time is over |
/// | `GET /GROUP/NAME` | the bytes of an item, or a range of them |
/// | `PUT /GROUP/NAME` | 201 when the item is on the disk |
/// | `DELETE /GROUP/NAME` | 204 when it is gone from there |
struct HubRequest: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case put = "PUT"
        case delete = "DELETE"
    }

    let method: Method
    let group: String
    /// The item; nil for the list.
    let name: String?
    let cursor: HubCursor?
    /// The seconds to wait for a change; 0 to answer at once.
    let wait: Double
    /// The first byte that is wanted, and the last; nil for all.
    let range: (first: Int, last: Int)?
    /// The bytes of the request's body.
    let bodySize: Int

    /// - Parameter target: Path and query as received; nil if they are not UTF-8.
    /// - Throws: `HubRefusal` if it is no request to a hub.
    init(_ method: String, target: String?, _ fields: HubFields) throws {
        guard let method = Method(rawValue: method) else { throw HubRefusal(405, "there is no such method") }
        let parts = (target ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
        guard path.count == 2 || path.count == 3, path[0].isEmpty, HubNames.isGroup(path[1]) else {
            throw HubRefusal(404, "there is no such group")
        }
        if path.count == 3, !HubNames.isItem(path[2]) { throw HubRefusal(400, "the item has no valid name") }
        name = path.count == 3 ? String(path[2]) : nil
        guard name != nil || method == .get || method == .head else {
            throw HubRefusal(405, "a group is only listed")
        }
        self.method = method
        group = String(path[1])
        (cursor, wait) = try Self.query(parts.count == 2 ? parts[1] : "")
        range = fields.range.flatMap(Self.range)
        bodySize = try Self.bodySize(fields)
        guard bodySize == 0 || method == .put else { throw HubRefusal(400, "the request has a body") }
    }

    private static func query(_ text: Substring) throws -> (HubCursor?, Double) {
        var cursor: HubCursor?
        var wait = 0.0
        for part in text.split(separator: "&") {
            if part.hasPrefix("since=") {
                cursor = HubCursor(part.dropFirst(6))
                guard cursor != nil else { throw HubRefusal(400, "since is no cursor") }
            } else if part.hasPrefix("wait="), let seconds = UInt16(part.dropFirst(5)) {
                wait = Double(seconds)
            } else {
                throw HubRefusal(400, "the query is not known")
            }
        }
        return (cursor, cursor == nil ? 0 : wait)
    }

    /// A range of the form `bytes=FIRST-LAST` or `bytes=FIRST-`; others are ignored, as RFC 9110, 14.2 allows.
    private static func range(_ text: String) -> (first: Int, last: Int)? {
        guard text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), first >= 0 else { return nil }
        guard let last = ends[1].isEmpty ? Int.max : Int(ends[1]), last >= first else { return nil }
        return (first, last)
    }

    /// What other programs might take for another length is refused (RFC 9112, 6.3).
    private static func bodySize(_ fields: HubFields) throws -> Int {
        guard !fields.isEncoded else { throw HubRefusal(411, "the body has no Content-Length") }
        guard fields.lengths.count <= 1 else { throw HubRefusal(400, "the request has several lengths") }
        guard let text = fields.lengths.first else { return 0 }
        guard let size = Int(text), size >= 0, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw HubRefusal(400, "the length of the body is no number")
        }
        return size
    }
}
