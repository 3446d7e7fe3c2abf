import CMicroHTTPD
import CoreDataSyncHub
import HTTPServerKit

/// What a hub answers: a status with a body in memory, or the bytes of a file.
struct HubAnswer: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        case file(OpenFile, first: Int, count: Int)
    }

    let status: UInt32
    private let body: Body
    private var fields: [(name: String, value: String)]
    /// Whether the connection ends with the answer.
    var endsConnection = false

    init(_ status: UInt32, text: [UInt8] = []) {
        (self.status, body) = (status, .bytes(text))
        fields = text.isEmpty ? [] : [("Content-Type", "text/plain; charset=utf-8")]
    }

    init(_ refusal: HubRefusal) {
        self.init(refusal.status, text: Array("\(refusal.reason)\n".utf8))
        if refusal.status == 405 { fields.append(("Allow", "GET, HEAD, PUT, DELETE")) }
    }

    init(_ list: HubList) { self.init(200, text: list.text) }

    /// The bytes of an item, or of a range of them.
    init(_ file: OpenFile, range: (first: Int, last: Int)?) {
        let type = ("Content-Type", "application/octet-stream")
        guard let range else {
            (status, body, fields) = (200, .file(file, first: 0, count: file.size), [type])
            return
        }
        guard range.first < file.size else {
            (status, body, fields) = (416, .bytes([]), [("Content-Range", "bytes */\(file.size)")])
            return
        }
        let last = min(range.last, file.size - 1)
        (status, body) = (206, .file(file, first: range.first, count: last - range.first + 1))
        fields = [type, ("Content-Range", "bytes \(range.first)-\(last)/\(file.size)")]
    }

    /// Gives the answer to the daemon. Its length is always known, so that nothing comes behind the fields of an answer to `HEAD`.
    func queue(_ connection: ConnectionHandle) -> MHD_Result {
        let made: OpaquePointer? =
            switch body {
            case .bytes(var bytes):
                MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY)
            case .file(let file, let first, let count):
                // The daemon closes the descriptor.
                file.copy().flatMap { MHD_create_response_from_fd_at_offset64(UInt64(count), $0, UInt64(first)) }
            }
        guard let made else { return .NO }
        defer { MHD_destroy_response(made) }
        for (name, value) in fields + [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")] {
            MHD_add_response_header(made, name, value)
        }
        if endsConnection { MHD_add_response_header(made, "Connection", "close") }
        return MHD_queue_response(connection.pointer, status, made)
    }
}
