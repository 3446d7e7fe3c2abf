import CoreDataStore

/// A value of an XML store in the form of a row's slot.
enum XMLCell {
    case bits(UInt8, UInt64)
    case bytes(UInt8, [UInt8])

    static func integer(_ value: some BinaryInteger) -> XMLCell {
        .bits(RowTag.integer, UInt64(bitPattern: Int64(clamping: value)))
    }

    static func real(_ value: Double) -> XMLCell { .bits(RowTag.real, value.bitPattern) }

    static func text(_ value: String) -> XMLCell { .bytes(RowTag.text, Array(value.utf8)) }
}

extension XMLStoreRecord.Attribute {
    /// Converts the value to the form of a row's slot.
    ///
    /// - Throws: a `LoadFailure` with the line number if the type differs from the attribute's, or if the text is
    ///   invalid for the type.
    func cell(_ kind: AttributeKind) throws -> XMLCell {
        guard Self.types(kind).contains(type) else {
            throw LoadFailure(
                "'\(name)' has the type '\(type)', and the model says \(Self.types(kind).joined(separator: " or "))",
                at: line)
        }
        guard let cell = kind == .undefined ? cell(ofType: type) : cell(ofKind: kind) else {
            throw LoadFailure("'\(name)' has a text that is no value of the type '\(type)'", at: line)
        }
        return cell
    }

    /// The values of the `type` attribute that are valid for an attribute of the model.
    private static func types(_ kind: AttributeKind) -> [String] {
        switch kind {
        case .integer16: ["int16"]
        case .integer32: ["int32"]
        case .integer64: ["int64"]
        case .boolean: ["bool"]
        case .float: ["float"]
        case .double: ["double"]
        case .decimal: ["decimal"]
        case .date: ["date"]
        case .string: ["string"]
        case .uri: ["uri"]
        case .uuid: ["uuid"]
        case .binary: ["binary"]
        case .transformable: ["transformable", "binary"]
        case .undefined: ["int64", "double", "string", "binary"]
        case .objectID, .composite: []
        }
    }

    private func cell(ofKind kind: AttributeKind) -> XMLCell? {
        switch kind {
        case .integer16: Int16(text).map { .integer($0) }
        case .integer32: Int32(text).map { .integer($0) }
        case .integer64: Int64(text).map { .integer($0) }
        case .boolean: ["0": 0, "1": 1, "NO": 0, "YES": 1][text].map { .integer($0) }
        case .float, .double, .date: RealText.value(text).map { .real($0) }
        case .decimal: RealText.decimal(text).map { .text($0) }
        case .string: string
        case .uri: URL(string: text) == nil ? nil : string
        case .uuid:
            UUID(uuidString: text).map { uuid in .bytes(RowTag.blob, withUnsafeBytes(of: uuid.uuid, Array.init)) }
        case .binary, .transformable: base64.map { .bytes(RowTag.blob, $0) }
        case .undefined, .objectID, .composite: nil
        }
    }

    private func cell(ofType type: String) -> XMLCell? {
        switch type {
        case "int64": cell(ofKind: .integer64)
        case "double": cell(ofKind: .double)
        case "string": cell(ofKind: .string)
        default: cell(ofKind: .binary)
        }
    }

    private var string: XMLCell? {
        switch encoding {
        case nil: .text(text)
        case "base64": base64.map { .bytes(RowTag.text, $0) }
        default: nil
        }
    }

    private var base64: [UInt8]? {
        let text = text.utf8.contains { $0 <= 0x20 } ? String(text.filter { !$0.isWhitespace }) : text
        return Data(base64Encoded: text).map { [UInt8]($0) }
    }
}
