import CoreDataFoundation

/// What is refused in a model's source before a parser sees it.
enum SourceGuard {
    static let greatestSize = 64 << 20
    /// The attributes of one element; the parser compares each with every other.
    static let greatestAttributeCount = 256

    /// - Throws: `ModelingError`: `.limitExceeded` for more than 64 MB, `.forbiddenConstruct` for anything but UTF-8 and
    ///   for declarations of document types and entities, whether or not they would be used.
    static func check(_ data: Data) throws {
        guard data.count <= greatestSize else {
            throw ModelingError(.limitExceeded, "the model has \(data.count) bytes, more than \(greatestSize)")
        }
        guard String(validating: data, as: UTF8.self) != nil, !data.contains(0) else {
            throw ModelingError(.forbiddenConstruct, "the model is not UTF-8 text")
        }
        for construct in ["<!DOCTYPE", "<!ENTITY"] where data.range(of: Data(construct.utf8)) != nil {
            throw ModelingError(
                .forbiddenConstruct, "the model declares a document type or an entity (\(construct))",
                line: line(of: construct, in: data))
        }
        try checkEncoding(data)
        try checkAttributes(data)
    }

    /// Counts the quoted values from each `<` to the next; a value itself cannot contain one.
    private static func checkAttributes(_ data: Data) throws {
        var count = 0
        var line = 1
        var quote: UInt8 = 0
        for byte in data {
            switch byte {
            case UInt8(ascii: "<"): (count, quote) = (0, 0)
            case UInt8(ascii: "\n"): line += 1
            case quote: quote = 0
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard quote == 0 else { continue }
                quote = byte
                count += 1
                guard count <= greatestAttributeCount else {
                    throw ModelingError(
                        .limitExceeded, "an element has more than \(greatestAttributeCount) attributes", line: line)
                }
            default: break
            }
        }
    }

    /// Another encoding would give the bytes another meaning than the one that was just checked.
    private static func checkEncoding(_ data: Data) throws {
        let start = String(decoding: data.prefix(1024), as: UTF8.self).drop { $0 == "\u{FEFF}" }
        guard start.hasPrefix("<?xml") else { return }
        guard let end = start.range(of: "?>") else {
            throw ModelingError(.forbiddenConstruct, "the model's XML declaration is too long", line: 1)
        }
        guard let declared = start.range(of: "encoding"), declared.lowerBound < end.lowerBound else { return }
        let rest = start[declared.upperBound..<end.lowerBound].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return }
        let name = rest.dropFirst().prefix { $0 != quote }.uppercased()
        guard ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name) else {
            throw ModelingError(.forbiddenConstruct, "the model is declared to be in \(name), not in UTF-8", line: 1)
        }
    }

    private static func line(of construct: String, in data: Data) -> Int? {
        guard let place = data.range(of: Data(construct.utf8)) else { return nil }
        return data[data.startIndex..<place.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
    }
}
