import CoreData
import Synchronization

/// `GET /stores/{store}/objects/{entity}/{key}/values/{name}`: the bytes of a value, or a range of them.
///
/// The bytes can run no script, whatever they contain: pictures are recognized by their first bytes, and the answer is
/// sandboxed.
struct ValuePage: Page {
    private static let pieceSize = 1 << 20

    let route = Route("GET /stores/{store}/objects/{entity}/{key}/values/{name}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (name, key) = (call.objectName, call.parameters["name"] ?? "")
        let value = try await call.store.read(for: call.access) { try ValueBytes($0, name: name, key: key) }
        return Self.response(value, to: call.request)
    }

    /// The bytes, or the range of them that a request asks for.
    static func response(_ value: ValueBytes, to request: BrowserRequest) -> BrowserResponse {
        let count = value.count
        var headers: BrowserHeaders = [
            "Content-Type": value.type, "Accept-Ranges": "bytes",
            "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
            "Content-Disposition": value.type.hasPrefix("application/") ? "attachment" : "inline",
        ]
        switch ByteRange(request.headers["Range"], count: count) {
        case .whole: return BrowserResponse(headers: headers, body: body(value, 0..<count))
        case .part(let range):
            headers.set("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
            return BrowserResponse(status: 206, headers: headers, body: body(value, range))
        case .unsatisfiable:
            return BrowserResponse(status: 416, headers: ["Content-Range": "bytes */\(count)"])
        }
    }

    private static func body(_ value: ValueBytes, _ range: Range<Int>) -> BrowserBody {
        let reader = PieceReader(value, range)
        return BrowserBody(count: range.count) { try await reader.next(pieceSize) }
    }
}

/// `GET …/values/{name}/decoded`: the decoded bytes of a value, as a tree; no archived object is instantiated.
struct DecodedValuePage: Page {
    let route = Route("GET /stores/{store}/objects/{entity}/{key}/values/{name}/decoded")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (store, name, key) = (try call.store, call.objectName, call.parameters["name"] ?? "")
        let bytes = try await store.read(for: call.access) { reading in
            try ValueBytes.stored(reading, name: name, key: key)
        }
        if let bytes { return .json(DecodedValue(bytes).json) }
        // A transformable value: its stored bytes are read from the file, without its transformer.
        let (url, model) = (try store.storeFile("its stored form cannot be read"), store.model)
        return .json(
            try await BrowsedStore.onOwnThread {
                let open = try OpenStore(at: url, model: model, for: .exporting)
                defer { open.close() }
                return try open.decodedValue(of: key, at: name).json
            })
    }
}

/// Reads a range of a value's bytes in pieces.
private final class PieceReader: Sendable {
    private let value: ValueBytes
    private let rest: Mutex<Range<Int>>

    init(_ value: ValueBytes, _ range: Range<Int>) {
        self.value = value
        rest = Mutex(range)
    }

    func next(_ count: Int) async throws -> [UInt8]? {
        let piece = rest.withLock { rest in
            let piece = rest.prefix(count)
            rest = rest.dropFirst(piece.count)
            return piece
        }
        return piece.isEmpty ? nil : try await value.part(piece)
    }
}
