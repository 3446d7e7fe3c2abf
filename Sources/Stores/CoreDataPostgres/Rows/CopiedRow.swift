import PostgresKit

/// Reads the rows that `COPY … TO STDOUT (FORMAT binary)` sends, one after another.
///
/// Format: a signature of eleven bytes, flags, and the length of an extension that follows; then for each row the
/// number of its cells, and for each cell its length, -1 for NULL, and its bytes; at the end -1. Source: PostgreSQL 15
/// documentation, COPY.
final class CopiedRow: RowCells {
    private static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]

    private let cells: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>
    private var hasBegun = false
    private var isAtEnd = false

    /// - Parameter width: the number of cells in each row.
    init(width: Int) {
        cells = .allocate(capacity: width)
        cells.initialize(repeating: nil)
    }

    deinit { cells.deallocate() }

    @inline(__always)
    func cell(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? { cells[column] }

    /// Calls `body` for each row of a piece, with its cells valid during the call; a piece contains complete rows.
    ///
    /// - Throws: `PostgresError` if the piece has another form.
    func read(_ piece: UnsafeRawBufferPointer, _ body: () -> Void) throws {
        var rest = piece
        if !hasBegun { try begin(&rest) }
        while !rest.isEmpty {
            guard !isAtEnd, let count = Self.take(Int16.self, &rest) else { throw Self.malformed }
            guard count != -1 else {
                isAtEnd = true
                continue
            }
            guard Int(count) == cells.count else { throw Self.malformed }
            for column in 0..<cells.count {
                guard let length = Self.take(Int32.self, &rest), length >= -1, Int(length) <= rest.count else {
                    throw Self.malformed
                }
                guard length >= 0 else {
                    cells[column] = nil
                    continue
                }
                cells[column] = UnsafeRawBufferPointer(rebasing: rest[..<Int(length)])
                rest = UnsafeRawBufferPointer(rebasing: rest[Int(length)...])
            }
            body()
        }
    }

    /// - Throws: `PostgresError` if the end of the rows was not received.
    func requireEnd() throws { guard isAtEnd else { throw Self.malformed } }

    private func begin(_ rest: inout UnsafeRawBufferPointer) throws {
        guard rest.starts(with: Self.signature) else { throw Self.malformed }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Self.signature.count))
        guard let flags = Self.take(Int32.self, &rest), flags == 0, let length = Self.take(Int32.self, &rest),
            length >= 0, Int(length) <= rest.count
        else { throw Self.malformed }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(length)))
        hasBegun = true
    }

    /// Reads the next integer, most significant byte first; nil if there are too few bytes.
    @inline(__always)
    private static func take<Number: FixedWidthInteger>(
        _ type: Number.Type, _ rest: inout UnsafeRawBufferPointer
    ) -> Number? {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[size...]) }
        return Number(bigEndian: rest.loadUnaligned(as: Number.self))
    }

    private static var malformed: PostgresError {
        PostgresError(
            .protocolViolation, "what the server copies has another form than it should", attempt: "read rows")
    }
}
