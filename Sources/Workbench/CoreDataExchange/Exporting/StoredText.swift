import CoreData

/// How lists of objects are written.
package enum ListFormat {
    /// One line of CSV (RFC 4180) for each object: nil is an empty field, an empty text is `""`.
    case csv
    /// A JSON array with one object on each line.
    case json
    /// One JSON object on each line, without an enclosing array.
    case jsonLines

    /// Whether values are written as JSON.
    @inline(__always) var isJSON: Bool { self != .csv }
}

/// Writes values directly from their stored form in rows, without decoding them.
///
/// The text is the same as for the values of managed objects, which `ValueCoding` defines.
struct StoredText {
    let format: ListFormat

    /// Appends the value of a slot; returns false, with nothing appended, if the value does not have the usual stored
    /// form of its type and must be decoded.
    ///
    /// `bytes` are those of a text or blob.
    @inline(__always)
    func append(
        _ tag: UInt8, bits: UInt64, kind: AttributeKind, to text: inout ByteText,
        bytes: () -> UnsafeRawBufferPointer
    ) -> Bool {
        switch tag {
        case RowTag.null: appendNull(to: &text)
        case RowTag.integer: return append(integer: Int64(bitPattern: bits), kind, to: &text)
        case RowTag.real: return append(real: Double(bitPattern: bits), kind, to: &text)
        case RowTag.text:
            let bytes = bytes()
            guard kind == .string || (kind == .uri && PlainURI.isPlain(bytes)) else { return false }
            if format.isJSON { text.append(quoted: bytes) } else { text.append(field: bytes) }
        case RowTag.blob: return append(blob: bytes(), kind, to: &text)
        default: return false
        }
        return true
    }

    func appendNull(to text: inout ByteText) {
        if format.isJSON { text.append("null" as StaticString) }
    }

    private func append(integer: Int64, _ kind: AttributeKind, to text: inout ByteText) -> Bool {
        switch kind {
        case .integer64: text.append(integer)
        case .integer32:
            guard Int32(exactly: integer) != nil else { return false }
            text.append(integer)
        case .integer16:
            guard Int16(exactly: integer) != nil else { return false }
            text.append(integer)
        case .boolean where format.isJSON: text.append(integer != 0 ? "true" as StaticString : "false")
        case .boolean: text.append(integer != 0 ? "YES" as StaticString : "NO")
        case .double, .float, .date: return append(real: Double(integer), kind, to: &text)
        case .decimal: unquoted(to: &text) { $0.append(integer) }
        default: return false
        }
        return true
    }

    private func append(real: Double, _ kind: AttributeKind, to text: inout ByteText) -> Bool {
        switch kind {
        case .double:
            guard real.isFinite else { return false }
            text.append(real)
        case .float:
            let float = Float(real)
            guard float.isFinite else { return false }
            text.append(float.description)
        case .date: unquoted(to: &text) { ISODate.append(real, to: &$0) }
        case .decimal: return append(decimal: real, to: &text)
        default: return false
        }
        return true
    }

    /// Adds a decimal that is stored as a real: its first fifteen digits.
    ///
    /// A real with no more digits than that is described by just these; one with more is left to `NSDecimalNumber`.
    private func append(decimal: Double, to text: inout ByteText) -> Bool {
        guard decimal.isFinite, decimal != 0 else { return false }
        var description = decimal.description
        let isPlain = description.withUTF8 { bytes in
            let digits = bytes.drop { !(UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
            return !bytes.contains(UInt8(ascii: "e")) && digits.count { $0 != UInt8(ascii: ".") } <= 15
        }
        guard isPlain else { return false }
        if description.hasSuffix(".0") { description.removeLast(2) }
        unquoted(to: &text) { $0.append(description) }
        return true
    }

    private func append(blob: UnsafeRawBufferPointer, _ kind: AttributeKind, to text: inout ByteText) -> Bool {
        // An empty text of CSV is in quotes.
        guard !blob.isEmpty else { return false }
        switch kind {
        case .binary: unquoted(to: &text) { $0.append(base64: blob) }
        case .uuid where blob.count == 16: unquoted(to: &text) { $0.append(uuid: blob) }
        default: return false
        }
        return true
    }

    /// Adds a text without a character that has to be escaped.
    private func unquoted(to text: inout ByteText, _ body: (inout ByteText) -> Void) {
        if format.isJSON { text.append(UInt8(ascii: "\"")) }
        body(&text)
        if format.isJSON { text.append(UInt8(ascii: "\"")) }
    }

    /// Appends a decoded value.
    func append(_ reading: PropertyReading, to text: inout ByteText) {
        switch format {
        case .json, .jsonLines: text.append(JSONWriter.line(reading.json))
        case .csv:
            guard var value = reading.text else { return }
            value.withUTF8 { text.append(field: UnsafeRawBufferPointer($0)) }
        }
    }
}
