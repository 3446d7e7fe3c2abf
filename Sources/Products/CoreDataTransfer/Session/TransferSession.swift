import Foundation
import FoundationNetworking

/// Sends HTTP requests and receives their responses, as Foundation's `URLSession` does, over libcurl.
///
///     let session = TransferSession()
///     let (data, response) = try await session.data(for: URLRequest(url: url))
///
/// A request fails with a ``TransferError`` that names its URL: also for a status other than 200 to 299, unless the options
/// accept it. A task that is cancelled throws `CancellationError`, and its connection is closed at once.
///
/// Redirects follow the rules of the Fetch standard: 303 makes a `GET` of every method but `HEAD`, 301 and 302 one of `POST`
/// (its body is dropped with its header fields), 307 and 308 keep method and body; credentials, cookies that the request
/// itself has and the `Authorization` field are not sent to another origin. Bodies are decoded (gzip and deflate; what else
/// libcurl was built with where the request asks for it by `Accept-Encoding`). A body in an encoding that libcurl does not know fails
/// with `invalidResponse`.
///
/// May be used from any thread. All transfers of a session run on one thread of its own, which waits while there are none and ends
/// with the session. That thread blocks `SIGPIPE`: a connection that the server has closed fails its transfer alone.
public final class TransferSession: Sendable {
    /// A session with the default configuration, for the whole program.
    public static let shared = TransferSession()

    /// What holds for all transfers of the session.
    public let configuration: TransferConfiguration
    let engine: TransferEngine

    /// Makes a session; its thread starts with its first transfer.
    public init(configuration: TransferConfiguration = TransferConfiguration()) {
        self.configuration = configuration
        engine = TransferEngine(configuration)
    }

    deinit { engine.stop() }

    /// The number of transfers that have been asked for and have not ended, the waiting ones included.
    public var activeTransferCount: Int { engine.activeCount }

    /// Sends a request and returns the body of its response.
    ///
    /// - Throws: ``TransferError``, among others if the body is larger than the options allow; `CancellationError`.
    public func data(
        for request: URLRequest, options: TransferOptions = TransferOptions()
    ) async throws -> (Data, HTTPURLResponse) {
        try await run(.data(request, body: nil, options))
    }

    /// Sends a file as the body of a request, a part at a time, and returns the body of the response.
    ///
    /// A method `GET` becomes `PUT`.
    ///
    /// - Throws: ``TransferError``, `unreadableBody` if the file cannot be read; `CancellationError`.
    public func upload(
        for request: URLRequest, fromFile file: URL, options: TransferOptions = TransferOptions()
    ) async throws -> (Data, HTTPURLResponse) {
        try await run(.data(request, body: FileBody(file, request: request), options))
    }

    /// Sends a request and returns its response as soon as its header fields are there, with its body in chunks.
    ///
    /// The chunks come in their order and are read from the network no faster than they are taken: about 256 KiB wait, of
    /// a compressed body besides what libcurl has decoded of its last 16 KiB. Releasing the sequence ends the transfer.
    ///
    /// - Throws: ``TransferError``; `CancellationError`. What fails later is thrown by the sequence.
    public func chunks(
        for request: URLRequest, options: TransferOptions = TransferOptions()
    ) async throws -> (TransferChunks, HTTPURLResponse) {
        let stream = ChunkReceiver()
        let transfer = Transfer(request, body: nil, receiver: stream, options: options)
        stream.attach(to: transfer, of: engine)
        let response = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                stream.onResponse(continuation)
                engine.submit(transfer) { stream.end($0) }
            }
        } onCancel: {
            engine.cancel(transfer)
        }
        return (TransferChunks(stream, session: self), response)
    }

    /// Downloads to a file, which is replaced when all of its bytes are there.
    ///
    /// Until then they lie beside it, in a file whose name has `.partial` appended, which stays when the download fails or is
    /// cancelled. The next download of the same URL to the same place continues there, if the server has named a version of the
    /// content by a strong entity tag or a date, and still has that version; else it begins again. What two versions have is
    /// never mixed.
    ///
    /// - Throws: ``TransferError``: `fileInUse` while another download writes there, `unwritableFile` with the system's reason;
    ///   `CancellationError`.
    @discardableResult
    public func download(
        for request: URLRequest, to file: URL, options: TransferOptions = TransferOptions()
    ) async throws -> HTTPURLResponse {
        let partial = try PartialFile(for: file, request: request)
        defer { partial.release() }
        do {
            return try await run(.download(request, into: partial, options))
        } catch  where partial.mustBeginAgain(after: error) {
            try partial.discard()
            return try await run(.download(request, into: partial, options))
        }
    }

    private func run<Value>(_ exchange: Exchange<Value>) async throws -> Value {
        let transfer = exchange.transfer
        let response = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                engine.submit(transfer) { continuation.resume(with: $0) }
            }
        } onCancel: {
            engine.cancel(transfer)
        }
        return try exchange.value(response)
    }
}
