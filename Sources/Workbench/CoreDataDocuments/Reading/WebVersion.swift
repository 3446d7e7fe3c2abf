import CoreData
import FoundationNetworking

/// The version of what a URL has, by which its server is asked whether there is another by now (RFC 9110, 13.1).
package struct WebVersion: Sendable, Equatable {
    /// Longer ones are not kept: they go into the metadata of stores.
    private static let mostBytes = 500

    /// The field `ETag`.
    let entityTag: String?
    /// The field `Last-Modified`.
    let lastModified: String?

    /// The version that a response names; nil where it names none.
    init?(_ response: HTTPURLResponse) {
        self.init(
            entityTag: response.value(forHTTPHeaderField: "ETag"),
            lastModified: response.value(forHTTPHeaderField: "Last-Modified"))
    }

    private init?(entityTag: String?, lastModified: String?) {
        func kept(_ text: String?) -> String? {
            text.flatMap { (1...Self.mostBytes).contains($0.utf8.count) ? $0 : nil }
        }
        (self.entityTag, self.lastModified) = (kept(entityTag), kept(lastModified))
        if self.entityTag == nil, self.lastModified == nil { return nil }
    }

    /// The version that a property list names.
    package init?(_ list: [String: String]) { self.init(entityTag: list["etag"], lastModified: list["modified"]) }

    /// The version as a property list.
    package var list: [String: String] {
        var list: [String: String] = [:]
        (list["etag"], list["modified"]) = (entityTag, lastModified)
        return list
    }

    /// Makes a request one for another version: a date counts only without an entity tag.
    func condition(_ request: inout URLRequest) {
        request.setValue(entityTag, forHTTPHeaderField: "If-None-Match")
        if entityTag == nil { request.setValue(lastModified, forHTTPHeaderField: "If-Modified-Since") }
    }
}
