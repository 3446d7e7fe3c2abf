import Foundation

/// The bytes of a file in pieces, with the line and column of the next one.
///
/// Invariants:
/// 1. `index` is at most `piece.count`; all bytes before it have been counted in `position`.
/// 2. No more than `limit` bytes are taken from the source.
final class ByteReader {
    private var piece: [UInt8] = []
    private var index = 0
    private var left: Int
    private var isAtEnd = false
    private let limit: Int
    private let source: () throws -> Data
    /// Where the next byte is.
    private(set) var position = TextPosition()

    /// - Parameter source: Called for the next piece; empty at the end.
    init(limit: Int, source: @escaping () throws -> Data) {
        (self.limit, left, self.source) = (limit, limit, source)
    }

    /// The next byte, which is not taken; nil at the end.
    @inline(__always)
    func peek() throws(TrackError) -> UInt8? {
        if index < piece.count { return piece[index] }
        return try refill() ? piece[index] : nil
    }

    /// Takes the next byte; nil at the end.
    @inline(__always)
    func next() throws(TrackError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        index += 1
        if byte == 10 { position = TextPosition(line: position.line + 1, column: 1) } else { position.column += 1 }
        return byte
    }

    /// Takes bytes as long as they are blanks.
    func skipBlanks() throws(TrackError) {
        while let byte = try peek(), byte == 32 || (9...10).contains(byte) || byte == 13 { _ = try next() }
    }

    /// Takes the mark of UTF-8 at the beginning; refuses those of UTF-16 and UTF-32.
    func skipMark() throws(TrackError) {
        let first = try peek()
        if first == 0xFE || first == 0xFF || first == 0 {
            throw error(.malformed, "the text is not in UTF-8", hint: "save it in UTF-8")
        }
        guard first == 0xEF else { return }
        for byte: UInt8 in [0xEF, 0xBB, 0xBF] where try next() != byte {
            throw error(.malformed, "the text does not begin with characters in UTF-8", hint: "save it in UTF-8")
        }
        position = TextPosition()
    }

    func error(
        _ code: TrackError.Code, _ reason: String, hint: String = "", at place: TextPosition? = nil
    ) -> TrackError {
        let place = place ?? position
        return TrackError(code, reason, hint: hint, line: place.line, column: place.column)
    }

    private func refill() throws(TrackError) -> Bool {
        guard !isAtEnd else { return false }
        do { piece = Array(try source()) } catch {
            throw self.error(.unreadable, "reading failed", hint: "look at the disk")
        }
        index = 0
        isAtEnd = piece.isEmpty
        left -= piece.count
        guard left >= 0 else {
            throw error(
                .tooLarge, "the file has more than \(limit) bytes", hint: "divide it, or read it with a higher limit")
        }
        return !isAtEnd
    }
}
