import CoreDataFoundation

/// Writes an XML store in the form of Apple's framework, piece by piece into a buffer.
///
/// Source of the form: stores that Apple's framework wrote. A string with characters that XML does not allow is written
/// in Base64, with `encoding="base64"` on its attribute; see Decision 0012.
package struct XMLStoreWriter {
    /// The version of XML stores that Apple's framework writes.
    package static let version = 134_481_920

    /// The bytes that have been written since the last call of `takeBytes()`.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Returns the bytes in the buffer and empties it.
    package mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    // MARK: Head and tail

    /// Writes the beginning of a document up to the end of its `<databaseInfo>`.
    ///
    /// - Throws: `ModelingError` `.unwritable` for metadata that an XML property list cannot contain.
    package mutating func writeHead(
        version: Int, identifier: String, lastObjectNumber: Int64, metadata: [String: PropertyList]
    ) throws {
        append(
            """
            <?xml version="1.0" standalone="no"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>\(version)</version>
                    <UUID>\(identifier)</UUID>
                    <nextObjectID>\(lastObjectNumber)</nextObjectID>
                    <metadata>
                        <plist version="1.0">

            """)
        try writeList(.dictionary(metadata), indent: 16)
        append("            </plist>\n        </metadata>\n    </databaseInfo>")
    }

    /// Writes the end of a document after its last record.
    package mutating func writeTail() { append("\n</database>") }

    // MARK: Records

    package mutating func beginRecord(entity: String, number: Int64) {
        append("\n    <object type=\"")
        appendEscaped(entity)
        append("\" id=\"z\(number)\">")
    }

    package mutating func endRecord() { append("\n    </object>") }

    /// Writes a value whose text needs no escapes.
    package mutating func writeAttribute(_ name: String, type: String, plain text: String) {
        beginAttribute(name, type)
        append(text)
        append("</attribute>")
    }

    /// Writes a string with any characters.
    package mutating func writeString(_ name: String, type: String = "string", _ text: UnsafeRawBufferPointer) {
        guard Self.isAllowed(text) else {
            beginAttribute(name, type, encoding: "base64")
            append(Data(text).base64EncodedString())
            return append("</attribute>")
        }
        beginAttribute(name, type)
        appendEscaped(text)
        append("</attribute>")
    }

    /// - Parameter missing: the number of the deleted record to which the relationship referred.
    package mutating func writeRelationship(
        _ name: String, isToMany: Bool, destination: String, members: some Sequence<Int64>, missing: Int64? = nil
    ) {
        append("\n        <relationship name=\"")
        appendEscaped(name)
        append("\" type=\"\(isToMany ? "0/0" : "1/1")\" destination=\"")
        appendEscaped(destination)
        append("\"")
        var isFirst = true
        for member in members {
            append(isFirst ? " idrefs=\"z" : " z")
            append(String(member))
            isFirst = false
        }
        if !isFirst { append("\"") }
        if let missing { append(" missing=\"z\(missing)\"") }
        append("></relationship>")
    }

    private mutating func beginAttribute(_ name: String, _ type: String, encoding: String? = nil) {
        append("\n        <attribute name=\"")
        appendEscaped(name)
        append("\" type=\"\(type)\"")
        if let encoding { append(" encoding=\"\(encoding)\"") }
        append(">")
    }

    // MARK: Metadata

    /// Writes a property list, each element on a separate line; the depth must have been checked.
    private mutating func writeList(_ list: PropertyList, indent: Int) throws {
        let blanks = String(repeating: " ", count: indent)
        switch list {
        case .boolean(let value): append("\(blanks)<\(value)/>\n")
        case .integer(let value): append("\(blanks)<integer>\(value)</integer>\n")
        case .real(let value): append("\(blanks)<real>\(value)</real>\n")
        case .date(let value): append("\(blanks)<date>\(CalendarSeconds.text(value))</date>\n")
        case .data(let value):
            append("\(blanks)<data>\n\t\t\(value.base64EncodedString())\n\t\t</data>\n")
        case .string(let value): try writeText(value, element: "string", blanks: blanks)
        case .array(let values):
            append("\(blanks)<array>\n")
            for value in values { try writeList(value, indent: indent + 4) }
            append("\(blanks)</array>\n")
        case .dictionary(let pairs):
            append("\(blanks)<dict>\n")
            for (key, value) in pairs.sorted(by: { $0.key < $1.key }) {
                try writeText(key, element: "key", blanks: blanks + "    ")
                try writeList(value, indent: indent + 4)
            }
            append("\(blanks)</dict>\n")
        case .null, .unsigned, .uid, .set:
            throw ModelingError(.unwritable, "the metadata has a value that a property list in XML cannot hold")
        }
    }

    private mutating func writeText(_ text: String, element: String, blanks: String) throws {
        guard MarkupText.isAllowed(text) else {
            throw ModelingError(.unwritable, "the metadata has a string with characters that XML cannot hold")
        }
        append("\(blanks)<\(element)>")
        appendEscaped(text)
        append("</\(element)>\n")
    }

    // MARK: Text

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func appendEscaped(_ text: String) {
        var text = text
        text.withUTF8 { appendEscaped(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a text with characters escaped that have a meaning in XML, and the carriage return, which XML readers
    /// convert.
    private mutating func appendEscaped(_ text: UnsafeRawBufferPointer) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            case UInt8(ascii: "\""): append("&quot;")
            case 0x0D: append("&#13;")
            default: bytes.append(byte)
            }
        }
    }

    /// Whether XML allows a text: UTF-8 without control characters except tab and line breaks, and without U+FFFE and
    /// U+FFFF.
    private static func isAllowed(_ text: UnsafeRawBufferPointer) -> Bool {
        var before: (UInt8, UInt8) = (0, 0)
        for byte in text {
            if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { return false }
            if before == (0xEF, 0xBF), byte == 0xBE || byte == 0xBF { return false }
            before = (before.1, byte)
        }
        return String(validating: text, as: UTF8.self) != nil
    }
}
