import CoreData
import Synchronization

/// `GET /stores/{store}/objects/{entity}/{key}/file`: the file of an item of a media library, or a range of it.
///
/// The bytes can run no script: only sound, film and pictures by their first bytes are sent, and the answer is sandboxed.
struct MediaFilePage: Page {
    private static let pieceSize = 1 << 20

    let route = Route("GET /stores/{store}/objects/{entity}/{key}/file")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let name = call.objectName
        let file = try await call.store.read(for: call.access) { try MediaFile($0, name: name) }
        var headers: BrowserHeaders = [
            "Content-Type": file.type, "Accept-Ranges": "bytes",
            "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'self'",
            "Content-Disposition": "inline",
        ]
        switch ByteRange(call.request.headers["Range"], count: file.count) {
        case .whole: return BrowserResponse(headers: headers, body: Self.body(file, 0..<file.count))
        case .part(let range):
            headers.set("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)")
            return BrowserResponse(status: 206, headers: headers, body: Self.body(file, range))
        case .unsatisfiable:
            return BrowserResponse(status: 416, headers: ["Content-Range": "bytes */\(file.count)"])
        }
    }

    private static func body(_ file: MediaFile, _ range: Range<Int>) -> BrowserBody {
        let place = PiecePlace(range)
        return BrowserBody(count: range.count) {
            let piece = place.next(pieceSize)
            return piece.isEmpty ? nil : try await BrowsedStore.onOwnThread { try file.part(piece) }
        }
    }
}

/// How far a range of a file was sent.
private final class PiecePlace: Sendable {
    private let rest: Mutex<Range<Int>>

    init(_ range: Range<Int>) { rest = Mutex(range) }

    func next(_ count: Int) -> Range<Int> {
        rest.withLock { rest in
            let piece = rest.prefix(count)
            rest = rest.dropFirst(piece.count)
            return piece
        }
    }
}
