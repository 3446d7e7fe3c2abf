import CMicroHTTPD
import HTTPServerKit

/// The header fields of a request that a hub looks at.
struct HubFields: Sendable {
    private(set) var lengths: [String] = []
    private(set) var isEncoded = false
    private(set) var host: String?
    private(set) var range: String?
    private(set) var expectsContinue = false

    init(of connection: ConnectionHandle) {
        withUnsafeMutablePointer(to: &self) { pointer in
            _ = cmicrohttpd_headers(connection.pointer, Self.add, pointer)
        }
    }

    private nonisolated static let add: MHD_KeyValueIteratorN = { fields, _, name, nameSize, value, valueSize in
        guard let fields, let name else { return .YES }
        let text = { (bytes: UnsafePointer<CChar>?, count: Int) in
            String(decoding: UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count), as: UTF8.self)
        }
        fields.assumingMemoryBound(to: HubFields.self).pointee.add(text(name, nameSize), text(value, valueSize))
        return .YES
    }

    private mutating func add(_ name: String, _ value: String) {
        switch name.lowercased() {
        case "content-length": lengths.append(value)
        case "transfer-encoding": isEncoded = true
        case "host": host = value
        case "range": range = value
        case "expect": expectsContinue = true
        default: return
        }
    }
}
