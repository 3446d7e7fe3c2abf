import Foundation

/// Why a typed text is not a number or a date of a locale, with the place in the text.
///
/// The text itself is not in the error, since it is a value.
public struct ReadingError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: Sendable, Equatable {
        /// The text is empty.
        case empty
        /// Something else stands where a digit, a name or a sign is expected.
        case unexpected
        /// The groups of digits have other lengths than the locale's.
        case grouping
        /// The number has more digits than the type can have, or is out of its range.
        case outOfRange
        /// The number has a fraction where an integer is asked for.
        case fraction
        /// The calendar has no such day, or the zone no such time.
        case noSuchDay
        /// A year of two digits could be of several centuries.
        case ambiguousYear
        /// Texts of this style cannot be read.
        case unsupportedStyle
    }

    /// The kind of failure.
    public let code: Code
    /// The place in the text, in characters from 0.
    public let offset: Int
    /// What is wrong, in a sentence for people.
    public let reason: String

    init(_ code: Code, at offset: Int, _ reason: String) {
        (self.code, self.offset, self.reason) = (code, offset, reason)
    }

    /// The reason and the place, counted from 1.
    public var description: String { "\(reason) (character \(offset + 1))" }
    /// The same as `description`.
    public var errorDescription: String? { description }
}

/// A typed text that is read scalar by scalar, without the marks that only direct its writing.
struct TypedText {
    /// The greatest length in scalars.
    static let longest = 1_000

    private let scalars: [(scalar: Unicode.Scalar, offset: Int)]
    private let length: Int
    private(set) var place = 0

    /// - Throws: `ReadingError` for an empty text, and for one that is longer than `longest`.
    init(_ text: String) throws {
        var scalars: [(Unicode.Scalar, Int)] = []
        var offset = 0
        for character in text {
            for scalar in character.unicodeScalars where !Self.isMark(scalar) { scalars.append((scalar, offset)) }
            offset += 1
            guard scalars.count <= Self.longest else {
                throw ReadingError(.outOfRange, at: offset, "The text is too long.")
            }
        }
        let start = scalars.prefix { $0.0.properties.isWhitespace }.count
        while scalars.count > start, scalars[scalars.count - 1].0.properties.isWhitespace { scalars.removeLast() }
        (self.scalars, length, place) = (scalars, offset, start)
        guard start < scalars.count else { throw ReadingError(.empty, at: 0, "The text is empty.") }
    }

    var isAtEnd: Bool { place >= scalars.count }
    var next: Unicode.Scalar? { isAtEnd ? nil : scalars[place].scalar }
    /// The place in characters of the text as it was typed.
    var offset: Int { offset(at: place) }

    func offset(at place: Int) -> Int { place < scalars.count ? scalars[place].offset : length }

    mutating func advance() { place = min(scalars.count, place + 1) }

    /// Goes back to a place.
    mutating func move(to place: Int) { self.place = min(max(0, place), scalars.count) }

    mutating func skipSpace() {
        while let next, next.properties.isWhitespace { advance() }
    }

    /// Takes a text if it is next, without regard to case.
    mutating func take(_ wanted: String) -> Bool {
        let start = place
        for scalar in wanted.unicodeScalars where !Self.isMark(scalar) {
            guard let next else {
                place = start
                return false
            }
            let isSpace = scalar.properties.isWhitespace && next.properties.isWhitespace
            guard isSpace || next == scalar || next.properties.lowercaseMapping == scalar.properties.lowercaseMapping
            else {
                place = start
                return false
            }
            advance()
        }
        return place > start
    }

    /// Marks of writing direction, which people do not see.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
