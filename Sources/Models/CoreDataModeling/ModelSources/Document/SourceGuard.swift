import CoreDataFoundation

/// What is refused in a model's source before it is looked into.
enum SourceGuard {
    private static let greatestSize = BoundedFile.greatestModelSize

    /// - Throws: `ModelingError`: `.limitExceeded` for more than 64 MB, `.forbiddenConstruct` for anything but UTF-8.
    static func check(_ data: Data) throws {
        guard data.count <= greatestSize else {
            throw ModelingError(.limitExceeded, "the model has \(data.count) bytes, more than \(greatestSize)")
        }
        guard String(validating: data, as: UTF8.self) != nil, !data.contains(0) else {
            throw ModelingError(.forbiddenConstruct, "the model is not UTF-8 text", at: firstWrongPlace(in: data))
        }
    }

    private static func firstWrongPlace(in data: Data) -> SourcePlace {
        var decoder = UTF8()
        var bytes = data.makeIterator()
        var line = 1
        var column = 1
        while case .scalarValue(let scalar) = decoder.decode(&bytes), scalar != "\0" {
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + UTF8.width(scalar))
        }
        return SourcePlace(line: line, column: column)
    }
}
