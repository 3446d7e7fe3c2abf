import CoreDataTransfer
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads an image or a text in one of three ways.
struct WebLoader: Sendable {
    let session: TransferSession

    init(session: TransferSession = TransferSession()) { self.session = session }

    /// Loads; what fails is a message.
    ///
    /// - Throws: `CancellationError`.
    func load(_ kind: Kind, at url: URL, _ way: Way) async throws -> WebContent {
        do {
            let bytes = try await bytes(of: kind, at: url, way)
            guard kind == .text else {
                _ = try PictureHeader(bytes)
                return .image(bytes)
            }
            return .text(String(decoding: bytes, as: UTF8.self))
        } catch let error as CancellationError {
            throw error
        } catch {
            return WebContent(failure: error, of: way, at: url)
        }
    }

    private func bytes(of kind: Kind, at url: URL, _ way: Way) async throws -> Data {
        var options = TransferOptions()
        if kind == .image { options.accepts = .images }
        let (session, wanted) = (session, options)
        switch way {
        case .contents:
            return try await waiting { try session.blocking.contents(of: url, options: wanted).data }
        case .synchronous:
            return try await waiting { try session.blocking.data(for: URLRequest(url: url), options: wanted).0 }
        case .asynchronous:
            var received = Data()
            for try await chunk in try await session.chunks(for: URLRequest(url: url), options: wanted).0 {
                received.append(chunk)
            }
            return received
        }
    }

    /// Calls what waits on a thread of its own, so that the page does not stand still.
    private func waiting(_ body: @escaping @Sendable () throws -> Data) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
        }
    }
}
