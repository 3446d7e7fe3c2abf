/// Checks the size and encoding of a model's source before it is parsed.
enum SourceGuard {
    private static let greatestSize = BoundedFile.greatestModelSize

    /// - Throws: `ModelingError`: `.limitExceeded` for more than 64 MB, `.forbiddenConstruct` for anything but UTF-8.
    static func check(_ bytes: [UInt8]) throws {
        guard bytes.count <= greatestSize else {
            throw ModelingError(.limitExceeded, "the model has \(bytes.count) bytes, more than \(greatestSize)")
        }
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
            throw ModelingError(.forbiddenConstruct, "the model is not UTF-8 text", at: firstWrongPlace(in: bytes))
        }
    }

    private static func firstWrongPlace(in bytes: [UInt8]) -> SourcePlace {
        var decoder = UTF8()
        var rest = bytes.makeIterator()
        var line = 1
        var column = 1
        while case .scalarValue(let scalar) = decoder.decode(&rest), scalar != "\0" {
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + UTF8.width(scalar))
        }
        return SourcePlace(line: line, column: column)
    }
}
