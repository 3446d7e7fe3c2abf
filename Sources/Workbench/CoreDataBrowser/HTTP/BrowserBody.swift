import CoreData

/// The bytes of a request or an answer, handed over piece by piece when the receiver asks.
///
/// The reader asks for the next piece when it has room for it, so a slow receiver holds the sender back. A body can be
/// read once. Reading is ended early by cancelling the task that reads.
public struct BrowserBody: Sendable {
    /// The number of bytes where it is known beforehand.
    public let count: Int?
    /// How many bytes there are at least, as far as that is known beforehand.
    package let leastCount: Int
    /// The bytes of a body that is there as a whole; nil for one that is made while it is read.
    package let readyBytes: [UInt8]?
    private let source: @Sendable () async throws -> [UInt8]?

    /// A body that is made while it is read; `next` gives pieces until it gives nil.
    ///
    /// `next` is called by one task at a time.
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
    /// - Throws: what the sender throws, and `CancellationError`.
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
