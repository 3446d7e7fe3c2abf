import CoreData

/// The bytes of a request or an answer, which the receiver reads piece by piece.
///
/// A piece is made when the receiver asks for it, so a slow receiver slows the sender down. A body can be read only
/// once. Cancelling the task that reads ends the reading early.
public struct BrowserBody: Sendable {
    /// The number of bytes; nil if it is not known before reading.
    public let count: Int?
    /// A lower bound of the number of bytes, known before reading.
    package let leastCount: Int
    /// All bytes of a body in memory; nil for one that is made while it is read.
    package let readyBytes: [UInt8]?
    private let source: @Sendable () async throws -> [UInt8]?

    /// A body that is made while it is read; `next` returns pieces, and nil at the end.
    ///
    /// Only one task at a time calls `next`.
    public init(count: Int? = nil, next: @escaping @Sendable () async throws -> [UInt8]?) {
        self.init(count: count, leastCount: count ?? 0, next: next)
    }

    package init(count: Int?, leastCount: Int, next: @escaping @Sendable () async throws -> [UInt8]?) {
        (self.count, self.leastCount, readyBytes) = (count, leastCount, nil)
        source = next
    }

    /// A body of bytes in memory.
    public init(_ bytes: [UInt8]) {
        let piece = OnePiece(bytes)
        (count, leastCount, readyBytes) = (bytes.count, bytes.count, bytes)
        source = { piece.take() }
    }

    /// A body without bytes.
    public static var empty: BrowserBody { BrowserBody([]) }

    /// The next piece; nil at the end.
    ///
    /// - Throws: Errors of the sender, and `CancellationError`.
    public func next() async throws -> [UInt8]? {
        try Task.checkCancellation()
        return try await source()
    }

    /// All bytes.
    ///
    /// - Throws: `BrowserFailure` with status 413 where there are more than `limit`, and what the sender throws.
    public func bytes(limit: Int) async throws -> [UInt8] {
        guard leastCount <= limit else { throw BrowserFailure.tooLarge(limit) }
        var all: [UInt8] = []
        while let piece = try await next() {
            guard piece.count <= limit - all.count else { throw BrowserFailure.tooLarge(limit) }
            all.append(contentsOf: piece)
        }
        return all
    }
}
